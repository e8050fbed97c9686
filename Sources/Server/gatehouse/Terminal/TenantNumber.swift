import ArgumentParser

/// A tenant of Finaptic on the command line: `finaptic-7`, as every other command and the books name it.
enum TenantNumber {
  static let help: ArgumentHelp = "The tenant, such as finaptic-7."

  /// - Parameter text: the name, or the number alone, as versions before took it.
  /// - Throws: `ValidationError`.
  static func read(_ text: String) throws -> Int {
    let digits = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits), number > 0 else {
      throw ValidationError("a tenant of Finaptic is such as finaptic-7")
    }
    return number
  }

  private static let prefix = "finaptic-"
}
