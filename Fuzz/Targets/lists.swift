import DocumentCore
import Foundation

private let countries = CountryNames([("SE", "SWE", ["Sweden", "Swedish"]), ("KP", "PRK", ["North Korea"])])

/// A screening list as an operator's folder holds it.
func fuzz(_ bytes: Data) {
  _ = try? WatchList(bytes, version: .init(code: "FUZZ", version: "1"), countries: countries)
}
