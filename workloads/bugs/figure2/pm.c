void persist(int *i) {
  clwb(i); /* AT clwb */
  sfence();
}

void redundant_loop(int *i) {
  for (int j = 0; j < TIMES; j++) {
    persist(i);
  }
}

int main() {
  int *x = pm_alloc();
  int *y = pm_alloc();
  int *z = pm_alloc();
  *x = 1; clwb(x);
  sfence();
  *y = 2;
  persist(y);
  *z = 3; redundant_loop(z);
  return 0;
}
