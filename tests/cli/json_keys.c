/* json_keys.c - reads JSON on standard input and prints the values at the paths that are its
 * arguments ("energy.first", "lyapunov.0"). */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *at_path(json_t *o, const char *path)
{
    char key[128];
    while (o && *path) {
        size_t n = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)n, path);
        o = json_is_array(o) ? json_array_get(o, (size_t)atol(key)) : json_object_get(o, key);
        path += n + (path[n] == '.');
    }
    return o;
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t      *o = json_loadf(stdin, 0, &error);
    int          missing = 0;
    if (!o) {
        printf("line %d: %s\n", error.line, error.text);
        return 1;
    }
    for (int i = 1; i < argc; i++) {
        json_t *value = at_path(o, argv[i]);
        if (!value) missing = 1;
        printf("%s ", argv[i]);
        if (json_is_string(value)) puts(json_string_value(value));
        else if (json_is_integer(value)) printf("%lld\n", (long long)json_integer_value(value));
        else if (json_is_real(value)) printf("%.17g\n", json_real_value(value));
        else puts(value ? "there" : "MISSING");
    }
    json_decref(o);
    return missing;
}
