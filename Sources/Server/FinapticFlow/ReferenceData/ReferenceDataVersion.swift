/// Changes whenever a list of reference data does.
enum ReferenceDataVersion {
  static let current = "1"
}
