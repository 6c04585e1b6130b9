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
        let options = options(&paths.database).journal_mode(SqliteJournalMode::Wal);
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
            readers: readers(&paths.database),
            writer: Some(Writer {
                connection,
                _lock: lock,
            }),
        })
    }

    /// Opens the archive for reading; takes no lock and changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NoArchive`] if there is none; [`StoreError::Newer`] and [`StoreError::Older`]
    /// if its schema is not this program's.
    pub async fn open_read_only(paths: &StorePaths) -> Result<Self, StoreError> {
        if !paths.database.exists() {
            return Err(StoreError::NoArchive {
                path: paths.database.clone(),
            });
        }
        let readers = readers(&paths.database);
        let version = refuse_newer(&readers, &paths.database).await?;
        if version < newest_version() {
            return Err(StoreError::Older {
                path: paths.database.clone(),
            });
        }
        Ok(Self {
            readers,
            writer: None,
        })
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
        let synchronous = match durability {
            Durability::Process => "PRAGMA synchronous = NORMAL",
            Durability::PowerCut => "PRAGMA synchronous = FULL",
        };
        // Outside the transaction, inside which SQLite ignores it.
        sqlx::query(synchronous).execute(&writer.connection).await?;
        Ok(writer.connection.begin_with("BEGIN IMMEDIATE").await?)
    }
}

fn options(database: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(database)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        // A power cut may lose the last sync, which the next one repeats. What a person did is
        // written with FULL; see `Durability`.
        .synchronous(SqliteSynchronous::Normal)
}

fn readers(database: &Path) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(READERS)
        .connect_lazy_with(options(database).read_only(true).pragma("query_only", "1"))
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

async fn schema_version(pool: &SqlitePool) -> Result<i64, sqlx::Error> {
    let tables: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'")
            .fetch_one(pool)
            .await?;
    if tables == 0 {
        return Ok(0);
    }
    sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations")
        .fetch_one(pool)
        .await
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
