/* board.c - the start of a Cortex-M4 with semihosting: a stack, the unit for single precision, then
 * newlib. */
extern void _start(void);

static void reset(void)
{
    *(volatile unsigned *)0xE000ED88u |= 0xFu << 20; /* coprocessors 10 and 11 */
    _start();
}

typedef void (*entry)(void);
__attribute__((section(".vectors"), used)) static const entry vectors[2] = {(entry)0x20400000u,
                                                                            reset};
