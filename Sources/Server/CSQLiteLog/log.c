// SPDX-License-Identifier: Apache-2.0

#include "CSQLiteLog.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  // Bytes of a frame's head, and the place of its mark: four bytes, which are zero unless its page ends a transaction
  // (sqlite.org/fileformat2.html, section 4.1).
  FRAME_HEAD = 24,
  FRAME_MARK = 4,
  // The writer's place among the locks (sqlite.org/walformat.html, section 2.3.1).
  WRITE_LOCK = 0,
  // Bytes that are kept at most. SQLite's own layer writes no more by one call.
  PIECE = 0x1ffff,
};

// What the layer knows of a file. It stands behind what SQLite's own layer knows, in the same memory; SQLite uses a
// file by one thread at a time.
typedef struct known {
  // Those of SQLite's own layer, with ours in some places.
  sqlite3_io_methods methods;
  const sqlite3_io_methods *below;
  // Of a database: its log, while that is open. Of a log: its database.
  struct known *other;
  // Of a log: what is not written yet, where it belongs, and whether it is part of a transaction that has not ended.
  unsigned char *bytes;
  int count;
  sqlite3_int64 start;
  bool gathers;
} known;

static sqlite3_vfs *below;
static sqlite3_vfs layer;

// Where it stands, in bytes from the start of the file.
static int place(void) {
  return (below->szOsFile + (int)_Alignof(known) - 1) / (int)_Alignof(known) * (int)_Alignof(known);
}

static known *known_of(sqlite3_file *file) { return (known *)((char *)file + place()); }

// MARK: A log

static int flush(sqlite3_file *file) {
  known *log = known_of(file);
  if (log->count == 0) return SQLITE_OK;
  int code = log->below->xWrite(file, log->bytes, log->count, log->start);
  // Kept until it is written: a full disk may take back one statement of the transaction, and not those before it.
  if (code == SQLITE_OK) log->count = 0;
  return code;
}

static int log_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 start) {
  known *log = known_of(file);
  if (count == FRAME_HEAD) {
    static const unsigned char open[4];
    log->gathers = memcmp((const unsigned char *)bytes + FRAME_MARK, open, sizeof open) == 0;
    // Without memory each piece goes by itself.
    if (log->gathers && log->bytes == NULL) log->bytes = malloc(PIECE);
  }
  bool follows = start == log->start + log->count && count <= PIECE - log->count;
  if (log->count > 0 && !follows) {
    int code = flush(file);
    if (code != SQLITE_OK) return code;
  }
  if (log->count == 0) {
    if (!log->gathers || log->bytes == NULL || count > PIECE) return log->below->xWrite(file, bytes, count, start);
    log->start = start;
  }
  memcpy(log->bytes + log->count, bytes, (size_t)count);
  log->count += count;
  return log->gathers ? SQLITE_OK : flush(file);
}

static int log_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 start) {
  int code = flush(file);
  return code == SQLITE_OK ? known_of(file)->below->xRead(file, bytes, count, start) : code;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = flush(file);
  return code == SQLITE_OK ? known_of(file)->below->xTruncate(file, size) : code;
}

static int log_sync(sqlite3_file *file, int flags) {
  int code = flush(file);
  return code == SQLITE_OK ? known_of(file)->below->xSync(file, flags) : code;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = flush(file);
  return code == SQLITE_OK ? known_of(file)->below->xFileSize(file, size) : code;
}

static int log_close(sqlite3_file *file) {
  known *log = known_of(file);
  // What is left was never committed.
  log->count = 0;
  free(log->bytes);
  log->bytes = NULL;
  log->other->other = NULL;
  return log->below->xClose(file);
}

// MARK: A database

static int database_lock(sqlite3_file *file, int first, int count, int flags) {
  known *database = known_of(file);
  // The end of a transaction: what it wrote and took back must not go over what the next writer, who may be another
  // program, puts in the same place.
  bool ends = (flags & SQLITE_SHM_UNLOCK) != 0 && first <= WRITE_LOCK && WRITE_LOCK < first + count;
  if (ends && database->other != NULL) database->other->count = 0;
  return database->below->xShmLock(file, first, count, flags);
}

// MARK: Files

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *opened) {
  (void)vfs;
  known *known = known_of(file);
  memset(known, 0, sizeof *known);
  int code = below->xOpen(below, path, file, flags, opened);
  if (file->pMethods == NULL) return code;
  known->below = file->pMethods;
  known->methods = *file->pMethods;
  if ((flags & SQLITE_OPEN_MAIN_DB) != 0 && known->methods.iVersion >= 2) {
    known->methods.xShmLock = database_lock;
    file->pMethods = &known->methods;
  }
  // A disk that may spoil what stands beside a write has frames repeated behind the end of a transaction.
  bool isSafe = (known->methods.xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
  if ((flags & SQLITE_OPEN_WAL) != 0 && isSafe) {
    known->other = known_of(sqlite3_database_file_object(path));
    known->other->other = known;
    known->methods.xWrite = log_write;
    known->methods.xRead = log_read;
    known->methods.xTruncate = log_truncate;
    known->methods.xSync = log_sync;
    known->methods.xFileSize = log_size;
    known->methods.xClose = log_close;
    file->pMethods = &known->methods;
  }
  return code;
}

void csqlitelog_gather(void) {
  if (below != NULL) return;
  below = sqlite3_vfs_find(NULL);
  if (below == NULL) return;
  layer = *below;
  layer.pNext = NULL;
  layer.zName = "gatehouse";
  layer.szOsFile = place() + (int)sizeof(known);
  layer.xOpen = layer_open;
  sqlite3_vfs_register(&layer, 1);
}

void csqlitelog_keep(void *connection) {
  if (connection != NULL) sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
}
