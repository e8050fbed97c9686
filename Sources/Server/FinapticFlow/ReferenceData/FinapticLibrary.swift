/// What this room looks things up in: the same for all tenants, and nothing that changes while calls are answered.
package struct FinapticLibrary: Sendable {
  package let book: ReferenceCatalogue
  package let addresses: AddressDirectory

  package init(book: ReferenceCatalogue, addresses: AddressDirectory) {
    (self.book, self.addresses) = (book, addresses)
  }

  /// - Parameters:
  ///   - referenceFolder: an operator's lists; nil is what comes with the program.
  ///   - addressIndex: an operator's addresses.
  ///   - isSandbox: whether, without an index, invented addresses are suggested.
  package init(referenceFolder: String?, addressIndex: String?, isSandbox: Bool) throws {
    book = try referenceFolder.map { try ReferenceFiles.book(folder: $0) } ?? ReferenceFiles.shipped()
    addresses = AddressDirectory(path: addressIndex, suggestsSample: isSandbox)
  }
}
