//! Opening the archive: one writer by a lock file, any number of readers.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::Sqlite;
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteSynchronous;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};

use crate::StoreError;

static MIGRATIONS: Migrator = sqlx::migrate!("../../schema");
const INDEXES: &str = include_str!("../../../schema/indexes.sql");

/// How long a statement waits for another connection's short write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Enough for one command or a few concurrent requests; a connection is opened when it is needed.
const READERS: u32 = 4;

/// What a write must survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// A kill of the process: what can be made again.
    Process,
    /// A power cut: what a person did.
    PowerCut,
}

/// Where the store keeps its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorePaths {
    /// The database.
    pub database: PathBuf,
    /// The file whose lock makes its holder the one writer.
    pub lock: PathBuf,
}

/// The archive and the Recall tables.
#[derive(Debug)]
pub struct Store {
    pub(crate) readers: SqlitePool,
    pub(crate) writer: Option<Writer>,
    paths: StorePaths,
}

/// The one writing connection, and the lock that makes it the only one.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) connection: SqlitePool,
    /// Released by the system when the process ends, however it ends.
    _lock: File,
}

impl Store {
    /// Opens the archive for writing: makes it if there is none, upgrades its schema, and holds the
    /// writer's lock until the store is dropped.
    ///
    /// # Errors
    /// [`StoreError::Locked`] at once if another process writes; [`StoreError::Newer`] if the
    /// archive was written by a newer version.
    pub async fn open(paths: &StorePaths) -> Result<Self, StoreError> {
        make_private_directory(&paths.database)?;
        let lock = take_lock(&paths.lock)?;
        make_private_file(&paths.database)?;
        let options = connect_options(&paths.database)
            .journal_mode(SqliteJournalMode::Wal)
            // Always, and not only while something is forgotten: a page that is split for want of
            // room would keep a copy of rows that moved, which no later deletion can find.
            .pragma("secure_delete", "ON");
        let connection = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(options)
            .await
            .map_err(|source| StoreError::Damaged {
                path: paths.database.clone(),
                source,
            })?;
        refuse_newer(&connection, &paths.database).await?;
        MIGRATIONS
            .run(&connection)
            .await
            .map_err(sqlx::Error::from)?;
        sqlx::raw_sql(INDEXES).execute(&connection).await?;
        Ok(Self {
            readers: reader_pool(connect_options(&paths.database)),
            writer: Some(Writer {
                connection,
                _lock: lock,
            }),
            paths: paths.clone(),
        })
    }

    /// The same archive opened once more, for writing; `None` if there is a writer.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn second_for_writing(&self) -> Result<Option<Self>, StoreError> {
        if self.is_writable() {
            return Ok(None);
        }
        match Self::open(&self.paths).await {
            Ok(store) => Ok(Some(store)),
            Err(StoreError::Locked { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens the archive for reading; takes no lock and changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NoArchive`] if there is none; [`StoreError::Newer`] and [`StoreError::Older`]
    /// if its schema is not this program's.
    pub async fn open_read_only(paths: &StorePaths) -> Result<Self, StoreError> {
        match paths.database.try_exists() {
            Ok(true) => {}
            Ok(false) => {
                return Err(StoreError::NoArchive {
                    path: paths.database.clone(),
                });
            }
            Err(source) => {
                return Err(StoreError::File {
                    action: "look at",
                    path: paths.database.clone(),
                    source,
                });
            }
        }
        let mut readers = reader_pool(connect_options(&paths.database));
        let mut version = refuse_newer(&readers, &paths.database).await;
        if matches!(&version, Err(StoreError::Damaged { source, .. }) if wants_to_write(source))
            && log_is_empty(&paths.database)
        {
            // Nobody can write beside the file, so SQLite cannot make its shared memory there; with
            // nothing waiting in the log it may take the file as one that never changes.
            readers = reader_pool(connect_options(&paths.database).immutable(true));
            version = refuse_newer(&readers, &paths.database).await;
        }
        let version = version?;
        if version < newest_version() {
            return Err(StoreError::Older {
                path: paths.database.clone(),
            });
        }
        Ok(Self {
            readers,
            writer: None,
            paths: paths.clone(),
        })
    }

    /// Whether this is the one writer.
    pub fn is_writable(&self) -> bool {
        self.writer.is_some()
    }

    /// Writes the log back into the database and closes every connection.
    pub async fn close(self) {
        self.readers.close().await;
        if let Some(writer) = self.writer {
            writer.connection.close().await;
        }
    }
}

impl Store {
    /// Begins a transaction of the one writer. How durable it is holds for it alone: the last
    /// writer's choice does not stay on the connection.
    pub(crate) async fn write(
        &self,
        durability: Durability,
    ) -> Result<sqlx::Transaction<'static, Sqlite>, StoreError> {
        let writer = self.writer.as_ref().ok_or(StoreError::ReadOnly)?;
        // Before the transaction, inside which SQLite ignores it, and in one go with its beginning,
        // so that no other task makes its own choice in between.
        let begin = match durability {
            Durability::Process => "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE",
            Durability::PowerCut => "PRAGMA synchronous = FULL; BEGIN IMMEDIATE",
        };
        Ok(writer.connection.begin_with(begin).await?)
    }
}

fn connect_options(database: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(database)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        // A power cut may lose the last sync, which the next one repeats. What a person did is
        // written with FULL; see `Durability`.
        .synchronous(SqliteSynchronous::Normal)
}

fn reader_pool(options: SqliteConnectOptions) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(READERS)
        .connect_lazy_with(options.read_only(true).pragma("query_only", "1"))
}

/// Whether SQLite failed for want of writing, though it was only asked to read.
fn wants_to_write(error: &sqlx::Error) -> bool {
    const READONLY: i32 = 8;
    const CANTOPEN: i32 = 14;
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    // The low byte is the kind, the rest its variety.
    code.and_then(|code| code.parse::<i32>().ok())
        .is_some_and(|code| matches!(code & 0xff, READONLY | CANTOPEN))
}

fn log_is_empty(database: &Path) -> bool {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    Path::new(&log)
        .metadata()
        .map_or(true, |log| log.len() == 0)
}

fn newest_version() -> i64 {
    MIGRATIONS
        .iter()
        .map(|migration| migration.version)
        .max()
        .unwrap_or(0)
}

/// The archive's schema version, 0 for an empty file. The first look into the file, so that what
/// is no database is found out here.
async fn refuse_newer(pool: &SqlitePool, database: &Path) -> Result<i64, StoreError> {
    let found = schema_version(pool)
        .await
        .map_err(|source| StoreError::Damaged {
            path: database.to_owned(),
            source,
        })?
        .ok_or_else(|| StoreError::Foreign {
            path: database.to_owned(),
        })?;
    let known = newest_version();
    if found > known {
        return Err(StoreError::Newer {
            path: database.to_owned(),
            found,
            known,
        });
    }
    Ok(found)
}

/// `None` for a database that has tables and none of ours.
async fn schema_version(pool: &SqlitePool) -> Result<Option<i64>, sqlx::Error> {
    let (tables, ours): (i64, i64) = sqlx::query_as(
        "SELECT count(*), count(*) FILTER (WHERE name = '_sqlx_migrations') FROM sqlite_schema",
    )
    .fetch_one(pool)
    .await?;
    match (tables, ours) {
        (0, _) => Ok(Some(0)),
        (_, 0) => Ok(None),
        _ => sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations")
            .fetch_one(pool)
            .await
            .map(Some),
    }
}

fn take_lock(path: &Path) -> Result<File, StoreError> {
    let file = private(OpenOptions::new().create(true).truncate(false).write(true))
        .open(path)
        .map_err(|source| StoreError::File {
            action: "open",
            path: path.to_owned(),
            source,
        })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(StoreError::File {
            action: "lock",
            path: path.to_owned(),
            source,
        }),
    }
}

/// The database, its log and its index take over the mode of the database file, so it is made
/// before SQLite would make it readable for everybody.
fn make_private_file(path: &Path) -> Result<(), StoreError> {
    private(OpenOptions::new().create(true).append(true))
        .open(path)
        .map(drop)
        .map_err(|source| StoreError::File {
            action: "create",
            path: path.to_owned(),
            source,
        })
}

fn make_private_directory(database: &Path) -> Result<(), StoreError> {
    let Some(directory) = database.parent() else {
        return Ok(());
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(directory)
        .map_err(|source| StoreError::File {
            action: "create the directory",
            path: directory.to_owned(),
            source,
        })
}

fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tasks_that_write_in_turns_keep_their_own_durability() {
        let directory = tempfile::tempdir().unwrap();
        let paths = StorePaths {
            database: directory.path().join("archive.db"),
            lock: directory.path().join("archive.lock"),
        };
        let store = Store::open(&paths).await.unwrap();
        let write = async |durability, level: i64| {
            for _ in 0..50 {
                let mut transaction = store.write(durability).await.unwrap();
                let found: i64 = sqlx::query_scalar("PRAGMA synchronous")
                    .fetch_one(&mut *transaction)
                    .await
                    .unwrap();
                assert_eq!(found, level, "{durability:?}");
                transaction.commit().await.unwrap();
            }
        };
        tokio::join!(
            write(Durability::Process, 1),
            write(Durability::PowerCut, 2)
        );
    }
}
