// SPDX-License-Identifier: Apache-2.0

#ifndef GATEHOUSE_CSQLITELOG_H
#define GATEHOUSE_CSQLITELOG_H

// SQLite's write-ahead log, written in long pieces. SQLite hands each page of a commit to the system by two calls, the
// head of its frame and the page, and a commit of many pages spends more time in those calls than in its statements. A
// layer over SQLite's own file system (sqlite.org/vfs.html) keeps what follows on what was written last and hands it on
// together: at the latest with the frame that ends a transaction, so that all who hear of a commit find it in the
// file.

#ifdef __cplusplus
extern "C" {
#endif

/// Opens files through the layer from now on, in this program. To be called once; should SQLite refuse it, logs are
/// written as they were before.
void csqlitelog_gather(void);

/// Leaves the log as it is when this connection, an `sqlite3 *`, is the last to close: by itself SQLite moves it into the
/// file then.
void csqlitelog_keep(void *connection);

#ifdef __cplusplus
}
#endif

#endif
