struct PackageResources {
static let addresses_csv: [UInt8] = []
static let bundles_json: [UInt8] = []
static let industry_csv: [UInt8] = []
static let occupation_csv: [UInt8] = []
static let spending_csv: [UInt8] = []
}
