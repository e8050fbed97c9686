// SPDX-License-Identifier: Apache-2.0

/// A whole SQL statement whose values are bound, never pasted: an interpolated value becomes a parameter.
///
/// ```swift
/// try tx.execute("UPDATE account SET state = \(state) WHERE id = \(id)")
/// ```
package struct SQL: Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Piece: Sendable {
    case text(String), value(SQLValue), clause(SQLClause), rows(SQLRows)
  }

  /// A statement that an engine inside this program, for which none is a trip, carries out once for each row.
  struct ByRow: Sendable {
    /// Has a parameter for each cell of a row, by its number.
    let text: String
    let rows: SQLRows
  }

  private let pieces: [Piece]
  /// The same as the statement itself; nil for statements that are not about rows.
  private(set) var byRow: ByRow?

  package init(stringLiteral value: String) { pieces = [.text(value)] }
  package init(stringInterpolation: Interpolation) { pieces = stringInterpolation.pieces }
  private init(_ pieces: [Piece]) { self.pieces = pieces }

  // MARK: By rows

  /// The same question in other words: asked of one row, whose cells are `?1`, `?2` and so on. Which of the two an engine
  /// asks, and hence in which order the answers come, is its own affair.
  package func orOfEach(_ rows: SQLRows, _ text: String) -> SQL {
    var statement = self
    statement.byRow = ByRow(text: text, rows: rows)
    return statement
  }

  /// Adds rows to a table, all of them or none.
  package static func insert(_ rows: SQLRows, into table: String) -> SQL {
    let names = rows.columns.map(\.name).joined(separator: ", ")
    let cells = rows.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    var statement = SQL([.text("INSERT INTO \(table) (\(names)) SELECT \(names) FROM "), .rows(rows), .text(" AS r")])
    statement.byRow = ByRow(text: "INSERT INTO \(table) (\(names)) VALUES (\(cells))", rows: rows)
    return statement
  }

  /// Changes the rows of a table that have the first cell of one of `rows` in the column of that name: the other columns
  /// are then as the other cells.
  package static func update(_ table: String, to rows: SQLRows) -> SQL {
    let names = rows.columns.map(\.name)
    let (changed, key) = (names.dropFirst(), names[0])
    let cells = changed.map { "\($0) = r.\($0)" }.joined(separator: ", ")
    let places = zip(changed, 2...).map { "\($0) = ?\($1)" }.joined(separator: ", ")
    var statement = SQL([
      .text("UPDATE \(table) SET \(cells) FROM "), .rows(rows), .text(" AS r WHERE \(table).\(key) = r.\(key)"),
    ])
    statement.byRow = ByRow(text: "UPDATE \(table) SET \(places) WHERE \(key) = ?1", rows: rows)
    return statement
  }

  // MARK: The statement

  /// What an engine binds, in order.
  package func values(in dialect: SQLDialect) -> [SQLValue] {
    var values: [SQLValue] = []
    for piece in pieces {
      switch piece {
      case .value(let value): values.append(value)
      case .rows(let rows): values += dialect.rows.values(rows)
      case .text, .clause: continue
      }
    }
    return values
  }

  /// Whether it can only read.
  var isSelect: Bool {
    guard case .text(let text)? = pieces.first(where: { if case .text("") = $0 { false } else { true } }) else {
      return false
    }
    return text.utf8.drop { $0 == 10 || $0 == 32 }.starts(with: "SELECT ".utf8)
  }

  /// The statement as an engine reads it.
  package func text(in dialect: SQLDialect) -> String {
    var (text, position) = ("", 0)
    for piece in pieces {
      switch piece {
      case .text(let part): text += part
      case .clause(let clause): text += dialect.spelling(clause)
      case .value:
        position += 1
        text += dialect.parameter(position)
      case .rows(let rows): text += dialect.rows.text(rows.columns, &position)
      }
    }
    return text
  }

  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { pieces.append(.text(literal)) }
    package mutating func appendInterpolation(_ value: some SQLConvertible) { pieces.append(.value(value.sqlValue)) }
    /// Nil is NULL.
    package mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
      pieces.append(.value(value.sqlValue))
    }
    package mutating func appendInterpolation(_ clause: SQLClause) { pieces.append(.clause(clause)) }
    package mutating func appendInterpolation(_ columns: SQLColumns) { appendLiteral(columns.names) }
    /// A part of a statement with its values, such as the one condition in which several statements differ.
    package mutating func appendInterpolation(_ part: SQL) { pieces += part.pieces }
    /// A table, to be named by what follows.
    package mutating func appendInterpolation(_ rows: SQLRows) { pieces.append(.rows(rows)) }

    /// What follows `IN`: `(one, two, two, two)`. The last value is repeated up to a power of two, so that an engine
    /// sees few statements; no value at all is `(NULL)`, which nothing is in.
    package mutating func appendInterpolation(list values: [some SQLConvertible]) {
      appendLiteral("(")
      var count = 1
      while count < values.count { count *= 2 }
      for index in 0..<count {
        if index > 0 { appendLiteral(", ") }
        guard let value = values.isEmpty ? nil : values[min(index, values.count - 1)] else {
          appendLiteral("NULL")
          break
        }
        appendInterpolation(value)
      }
      appendLiteral(")")
    }
  }
}

/// The columns that a store's statements read, in a constant: `SELECT \(Self.columns) FROM …`.
package struct SQLColumns: Sendable, ExpressibleByStringLiteral {
  package let names: String

  /// A literal of the program, so that no value can get into the text of a statement.
  package init(stringLiteral names: StaticString) { self.names = "\(names)" }
}

/// The few words that the engines do not share.
package enum SQLClause: Sendable {
  /// At the end of a SELECT: lock the rows and pass over those that another transaction holds. An engine with one
  /// writer at a time has no such rows.
  case forUpdateSkipLocked
  /// At the end of a SELECT: no other transaction changes the rows before this one ends. Needed only where there is
  /// more than one writer at a time.
  case forShare
  /// At the end of a SELECT: this transaction will change the rows, in the order in which they come, and waits for those
  /// that another one holds. Where there is one writer at a time it is this one.
  case forUpdate
}

/// How an engine spells what differs.
package struct SQLDialect: Sendable {
  /// The parameter at a position, counted from 1.
  let parameter: @Sendable (Int) -> String
  let spelling: @Sendable (SQLClause) -> String
  let rows: Rows
  /// Statements that make every change of a table fail but the addition of rows.
  let appendOnly: @Sendable (String) -> String

  /// How `SQLRows` become a table.
  struct Rows: Sendable {
    /// The table, after so many parameters; counts its own.
    let text: @Sendable ([SQLRows.Column], inout Int) -> String
    let values: @Sendable (SQLRows) -> [SQLValue]
  }

  package static let sqlite = SQLDialect(
    parameter: { _ in "?" }, spelling: { _ in "" },
    rows: Rows(
      text: { columns, position in
        position += 1
        let cells = columns.enumerated().map { "json_extract(value, '$[\($0)]') AS \($1.name)" }
        return "(SELECT \(cells.joined(separator: ", ")) FROM json_each(?))"
      }, values: { [.text($0.json)] }),
    appendOnly: { table in
      ["UPDATE", "DELETE"].map { event in
        """
        CREATE TRIGGER \(table)_no_\(event.lowercased()) BEFORE \(event) ON \(table)
        BEGIN SELECT RAISE(ABORT, '\(table) is append-only'); END;
        """
      }.joined(separator: "\n")
    })
  package static let postgres = SQLDialect(
    parameter: { "$\($0)" },
    spelling: { clause in
      switch clause {
      case .forUpdateSkipLocked: "FOR UPDATE SKIP LOCKED"
      case .forShare: "FOR SHARE"
      // Rows that refer to these may still be added.
      case .forUpdate: "FOR NO KEY UPDATE"
      }
    },
    rows: Rows(
      text: { columns, position in
        let names = columns.map(\.name).joined(separator: ", ")
        let arrays = columns.map { column in
          position += 1
          return switch column {
          case .text: "$\(position)::text[]"
          case .integer: "$\(position)::bigint[]"
          }
        }
        return "(SELECT \(names) FROM unnest(\(arrays.joined(separator: ", "))) AS cells(\(names)))"
      }, values: { rows in rows.columns.indices.map { .text(rows.array(ofColumn: $0)) } }),
    appendOnly: { table in
      // 23514 is a constraint, as the other engine's answer is.
      """
      CREATE FUNCTION \(table)_append_only() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN RAISE EXCEPTION USING ERRCODE = '23514', CONSTRAINT = '\(table)_append_only'; END $body$;
      CREATE TRIGGER \(table)_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON \(table)
      FOR EACH STATEMENT EXECUTE FUNCTION \(table)_append_only();
      """
    })
}
