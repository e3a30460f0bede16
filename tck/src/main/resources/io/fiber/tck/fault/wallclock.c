/* SPDX-License-Identifier: Apache-2.0 */
/* Stands before the C library and adds the seconds that a file holds to the wall clock, and to no other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead(void) {
    const char *name = getenv("FAULT_WALL_CLOCK");
    char text[32] = {0};
    int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*next)(clockid_t, struct timespec *);
    if (next == NULL) {
        next = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    }
    int result = next(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) {
        time->tv_sec += ahead();
    }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    static int (*next)(struct timeval *, void *);
    if (next == NULL) {
        next = (int (*)(struct timeval *, void *)) dlsym(RTLD_NEXT, "gettimeofday");
    }
    int result = next(time, zone);
    if (result == 0) {
        time->tv_sec += ahead();
    }
    return result;
}
