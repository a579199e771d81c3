/* Ends the process at one of its writes: before or after the call that KARAT_KILL_AT counts to.
 *
 * Loaded in front of the C library, so that what a check writes, to its reports and to its history, passes here. Renames and
 * removals that go to the kernel directly lie between two of these points, and so does every state that they leave. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long passed;

static void point(void) {
  const char *at = getenv("KARAT_KILL_AT");
  if (at && atomic_fetch_add(&passed, 1) == atol(at)) kill(getpid(), SIGKILL);
}

#define AROUND(result, name, parameters, ...)                  \
  result name parameters {                                     \
    static result(*real) parameters;                           \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);      \
    point();                                                   \
    result value = real(__VA_ARGS__);                          \
    point();                                                   \
    return value;                                              \
  }

AROUND(ssize_t, write, (int fd, const void *from, size_t size), fd, from, size)
AROUND(ssize_t, writev, (int fd, const struct iovec *from, int count), fd, from, count)
AROUND(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), fd, from, size, at)
AROUND(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), fd, from, size, at)
AROUND(int, fsync, (int fd), fd)
AROUND(int, fdatasync, (int fd), fd)
AROUND(int, ftruncate, (int fd, off_t size), fd, size)
AROUND(int, ftruncate64, (int fd, off64_t size), fd, size)
AROUND(int, rename, (const char *from, const char *to), from, to)
AROUND(int, unlink, (const char *path), path)
