// SPDX-License-Identifier: Apache-2.0

extension PhonePolicy {
  /// Ranges that are charged above the usual or belong to no country's subscribers, from the ITU's list of assigned
  /// codes and the national numbering plans. Public facts as of 2026-11; not complete, which is what the list of served
  /// countries is for.
  static let premiumPrefixes: Set<String> = [
    // ITU: universal freephone, shared cost, Inmarsat, UPT, satellite, international networks, premium.
    "800", "808", "870", "878", "881", "882", "883", "888", "979",
    // North America: 900 and 976 exchanges.
    "1900", "1976",
    // Europe.
    "30801", "30806", "30812", "30825", "30850", "30875", "30896", "30901", "30909", "3188", "3190",
    "3270", "3278", "3290", "3381", "3382", "3384", "3389", "34803", "34806", "34807", "34901", "34902", "34905",
    "35160", "35164", "35176", "353151", "353152", "353153", "353154", "353155", "353156", "353157", "353158",
    "353159", "358600", "358700", "3689", "3690", "39144", "39166", "39178", "39892", "39894", "39895", "39899",
    "40900", "40903", "40906", "41900", "41901", "41906", "42090", "42190", "43810", "43820", "43821", "43900",
    "43901", "43930", "43931", "43939", "4484", "4487", "449", "4590", "46900", "46939", "46944", "4782", "48300",
    "48400", "48700", "48701", "48703", "48708", "49137", "49180", "49190", "49900", "7803", "7804", "7809",
    // Asia, Africa, Pacific, South America.
    "2786", "55900", "61190", "62809", "64900", "65190", "66190", "81990", "82060", "82600", "85290", "861259",
    "90900", "911860", "911900", "971900", "966700", "972190",
  ]

  /// National plans whose mobile ranges are stable and easy to tell; other countries' numbers pass.
  static let mobilePlans: [String: MobilePlan] = Dictionary(
    uniqueKeysWithValues: [
      MobilePlan(countryCode: "965", lengths: 8...8, leading: ["41", "5", "6", "9"]),
      MobilePlan(countryCode: "966", lengths: 9...9, leading: ["5"]),
      MobilePlan(countryCode: "968", lengths: 8...8, leading: ["7", "9"]),
      MobilePlan(countryCode: "971", lengths: 9...9, leading: ["5"]),
      MobilePlan(countryCode: "973", lengths: 8...8, leading: ["3", "6"]),
      MobilePlan(countryCode: "974", lengths: 8...8, leading: ["3", "5", "6", "7"]),
      MobilePlan(countryCode: "20", lengths: 10...10, leading: ["1"]),
      MobilePlan(countryCode: "962", lengths: 9...9, leading: ["7"]),
      MobilePlan(countryCode: "33", lengths: 9...9, leading: ["6", "7"]),
      MobilePlan(countryCode: "34", lengths: 9...9, leading: ["6", "7"]),
      MobilePlan(countryCode: "44", lengths: 10...10, leading: ["71", "72", "73", "74", "75", "77", "78", "79"]),
      MobilePlan(countryCode: "49", lengths: 9...11, leading: ["15", "16", "17"]),
      MobilePlan(countryCode: "91", lengths: 10...10, leading: ["6", "7", "8", "9"]),
    ].map { ($0.countryCode, $0) })
}
