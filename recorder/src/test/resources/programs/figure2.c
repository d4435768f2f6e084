// The sample program of figure 2 of the Mumak paper; the lines are the paper's.
/* clang-format off */
#include "pm.h"
#line 1
void persist(int *i) {
  clwb(i);
  sfence();
}

void redundant_loop(int *i) {
  for (int j = 0; j < 8; j++) {
    *i = j; persist(i);
  }
}

int main(int argc, char **argv) {
  int *x = pm_alloc(argc, argv);
  int *y = x + 16;
  int *z = x + 32; *x = 1;
  clwb(x);
  sfence();
  *y = 2;
  persist(y);
  redundant_loop(z);
  return 0;
}
