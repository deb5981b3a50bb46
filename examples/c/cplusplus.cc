// cplusplus.cc - the same library from C++: handles in unique_ptr, rows of a run in a vector.
#include <dalembert.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

template <class T, void (*Free)(T *)> struct freed {
    void operator()(T *x) const { Free(x); }
};
using context = std::unique_ptr<dal_context, freed<dal_context, dal_context_free>>;
using model = std::unique_ptr<dal_model, freed<dal_model, dal_model_free>>;
using simulation = std::unique_ptr<dal_sim, freed<dal_sim, dal_sim_free>>;

// The first message of the context, thrown.
static void check(dal_status status, const context &cx)
{
    if (status != DAL_OK) throw std::runtime_error(dal_message_at(cx.get(), 0).text);
}

static dal_status keep_row(void *self, dal_sim *s)
{
    auto  *rows = static_cast<std::vector<double> *>(self);
    size_t width;
    dal_columns(s, &width);
    rows->resize(rows->size() + width);
    dal_row(s, rows->data() + rows->size() - width);
    return DAL_OK;
}

int main()
try {
    context    cx(dal_context_new(nullptr));
    dal_model *m = nullptr;
    dal_sim   *s = nullptr;
    check(dal_model_parse(cx.get(), "spring.dal",
                          "system Spring {\n"
                          "  coordinate x\n"
                          "  lagrangian x'^2/2 - x^2/2\n"
                          "  start x = 1\n"
                          "}\n"
                          "simulate {\n"
                          "  scheme = gauss(3)\n"
                          "  step = 0.1\n"
                          "  until = 6.3\n"
                          "}\n",
                          nullptr, &m),
          cx);
    model spring(m);
    check(dal_sim_new(m, nullptr, &s), cx);
    simulation          sim(s);
    std::vector<double> rows;
    dal_observer        keep = {};
    keep.row = keep_row, keep.self = &rows;
    check(dal_run(s, &keep), cx);
    size_t width;
    dal_columns(s, &width);
    std::printf("%zu rows of %zu columns; x(6.3) = %.5f\n", rows.size() / width, width,
                rows[rows.size() - width + 1]);
    return 0;
} catch (const std::exception &reason) {
    std::fprintf(stderr, "%s\n", reason.what());
    return 1;
}
