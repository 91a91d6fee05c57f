/* For sanitizer builds of window programs: GLFW unloads the GL driver at its end, and a
 * leak of a library that is gone cannot be told from one of ours. So nothing is unloaded;
 * tests/lsan.supp then knows the driver's by name. */
__attribute__((visibility("default"))) int dlclose(void *library);

int dlclose(void *library) {
    (void)library;
    return 0;
}
