import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@parley/shared/testing';
import { filesUnder } from './folder-bytes';

/**
 * Stands between a process and the system: a file below SIM_DATA_DIR grows only as long as all files there together hold
 * no more bytes than the file SMALL_DISK_SIZE says. What is there already may be written over, as on a real disk.
 */
const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <unistd.h>
#define REAL(name, type) static __typeof__(type) real; if (!real) real = (__typeof__(type))dlsym(RTLD_NEXT, name)

static __thread long long used;
static int add(const char *path, const struct stat *found, int kind, struct FTW *at) {
  (void)path; (void)at;
  if (kind == FTW_F) used += found->st_size;
  return 0;
}

static long long capacity_of(int *reason) {
  const char *sizes = getenv("SMALL_DISK_SIZE");
  FILE *file = sizes ? fopen(sizes, "r") : NULL;
  if (!file) return -1;
  long long capacity = -1;
  if (fscanf(file, "%lld %d", &capacity, reason) < 1) capacity = -1;
  fclose(file);
  return capacity;
}

static int is_full(int descriptor, long long end) {
  const char *folder = getenv("SIM_DATA_DIR");
  int reason = ENOSPC;
  long long capacity = folder ? capacity_of(&reason) : -1;
  struct stat found;
  if (capacity < 0 || fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) return 0;
  long long growth = end - found.st_size;
  if (growth <= 0) return 0;
  char link[64], target[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return 0;
  target[length] = 0;
  if (strncmp(target, folder, strlen(folder)) != 0) return 0;
  used = 0;
  nftw(folder, add, 16, FTW_PHYS);
  if (used + growth <= capacity) return 0;
  errno = reason;
  return 1;
}

static long long place_of(int descriptor) {
  struct stat found;
  if ((fcntl(descriptor, F_GETFL) & O_APPEND) && fstat(descriptor, &found) == 0) return found.st_size;
  return lseek(descriptor, 0, SEEK_CUR);
}
static long long length_of(const struct iovec *pieces, int count) {
  long long sum = 0;
  for (int at = 0; at < count; at += 1) sum += pieces[at].iov_len;
  return sum;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  REAL("write", ssize_t (*)(int, const void *, size_t));
  return is_full(descriptor, place_of(descriptor) + (long long)length) ? -1 : real(descriptor, bytes, length);
}
ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
  REAL("writev", ssize_t (*)(int, const struct iovec *, int));
  return is_full(descriptor, place_of(descriptor) + length_of(pieces, count)) ? -1 : real(descriptor, pieces, count);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t at) {
  REAL("pwrite", ssize_t (*)(int, const void *, size_t, off_t));
  return is_full(descriptor, at + (long long)length) ? -1 : real(descriptor, bytes, length, at);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t at) {
  REAL("pwrite64", ssize_t (*)(int, const void *, size_t, off64_t));
  return is_full(descriptor, at + (long long)length) ? -1 : real(descriptor, bytes, length, at);
}
ssize_t pwritev64(int descriptor, const struct iovec *pieces, int count, off64_t at) {
  REAL("pwritev64", ssize_t (*)(int, const struct iovec *, int, off64_t));
  return is_full(descriptor, at + length_of(pieces, count)) ? -1 : real(descriptor, pieces, count, at);
}
ssize_t pwritev(int descriptor, const struct iovec *pieces, int count, off_t at) {
  REAL("pwritev", ssize_t (*)(int, const struct iovec *, int, off_t));
  return is_full(descriptor, at + length_of(pieces, count)) ? -1 : real(descriptor, pieces, count, at);
}
int ftruncate(int descriptor, off_t end) {
  REAL("ftruncate", int (*)(int, off_t));
  return is_full(descriptor, end) ? -1 : real(descriptor, end);
}
int ftruncate64(int descriptor, off64_t end) {
  REAL("ftruncate64", int (*)(int, off64_t));
  return is_full(descriptor, end) ? -1 : real(descriptor, end);
}
int statfs64(const char *path, struct statfs64 *found) {
  REAL("statfs64", int (*)(const char *, struct statfs64 *));
  const char *folder = getenv("SIM_DATA_DIR");
  int reason;
  long long capacity = folder ? capacity_of(&reason) : -1;
  if (real(path, found) != 0) return -1;
  if (capacity < 0) return 0;
  used = 0;
  nftw(folder, add, 16, FTW_PHYS);
  found->f_bavail = used < capacity ? (capacity - used) / found->f_bsize : 0;
  return 0;
}
int statfs(const char *path, struct statfs *found) {
  return statfs64(path, (struct statfs64 *)found);
}
int posix_fallocate64(int descriptor, off64_t at, off64_t length) {
  REAL("posix_fallocate64", int (*)(int, off64_t, off64_t));
  return is_full(descriptor, at + length) ? errno : real(descriptor, at, length);
}
`;

/** errno of "no space left on device" and of "disk quota exceeded". */
export const ENOSPC = 28;
export const EDQUOT = 122;

/** A disk for the data folder whose size tests change while processes run: needs no right to mount anything. */
export interface SmallDisk {
  /** For the processes that shall meet it. */
  readonly environment: Readonly<Record<string, string>>;
  /** From now on there is room for so many bytes more than what lies in the folder. */
  leave(folder: string, bytes: number, errno?: number): void;
  /** From now on there is room for everything. */
  makeRoom(): void;
  remove(): void;
}

export const bytesIn = (folder: string): number =>
  filesUnder(folder).reduce((sum, file) => {
    const found = statSync(path.join(folder, file), { throwIfNoEntry: false });
    return sum + (found?.size ?? 0);
  }, 0);

/** Only where a C compiler and the preloading of libraries are: on Linux, as in CI. */
export function smallDisk(): SmallDisk {
  const tools = temporaryFolder('small-disk');
  const [source, library, size] = ['disk.c', 'disk.so', 'size'].map((name) => path.join(tools.path, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(source, SOURCE);
  execFileSync('cc', ['-O1', '-Werror', '-shared', '-fPIC', '-o', library, source, '-ldl']);
  return {
    environment: { LD_PRELOAD: library, SMALL_DISK_SIZE: size },
    leave(folder, bytes, errno = ENOSPC) {
      writeFileSync(`${size}.new`, `${bytesIn(folder) + bytes} ${errno}`);
      renameSync(`${size}.new`, size);
    },
    makeRoom: () => rmSync(size, { force: true }),
    remove: () => tools.remove(),
  };
}
