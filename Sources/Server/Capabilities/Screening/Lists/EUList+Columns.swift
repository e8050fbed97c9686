// SPDX-License-Identifier: Apache-2.0

extension EUList {
  /// The columns of CSV 1.1 and 1.0 in lower case: those that are read, and those that are left out, as
  /// docs/operations/lists.md tells. Any other column is of a later edition.
  static let known = Set(
    ["filegenerationdate"] + own
      + parts.flatMap { part, columns in (columns + ofEveryPart).map { "\(part)_\($0)" } }
      + ownOfFirst + partsOfFirst.flatMap { part, columns in (columns + ofEveryPartOfFirst).map { "\(part)_\($0)" } })

  /// The elements of XML 1.1. Of a regulation's summary and address no more is read than of their columns.
  static let knownElements: Set<String> = [
    "remark", "regulation", "publicationUrl", "subjectType", "nameAlias", "regulationSummary", "citizenship",
    "birthdate", "identification", "address", "contactInfo",
  ]

  /// Of CSV 1.0.
  private static let ownOfFirst = [
    "date_file", "entity_logical_id", "subject_type", "leba_numtitle", "leba_publication_date", "leba_url",
    "programme", "eu_ref_num",
  ]

  /// Left out like `ofEveryPart`.
  private static let ofEveryPartOfFirst = [
    "logical_id", "leba_numtitle", "leba_publication_date", "leba_url", "programme",
  ]

  private static let partsOfFirst: [(part: String, columns: [String])] = [
    (
      "naal",
      ["lastname", "firstname", "middlename", "wholename", "language", "gender", "title", "function"]
    ),
    ("addr", ["number", "street", "zipcode", "city", "country", "other"]), ("birt", ["date", "place", "country"]),
    ("iden", ["number", "country"]), ("citi", ["country"]),
  ]

  /// Of the entry itself. Of its regulation, kind, author and address are left out.
  private static let own = [
    "logicalid", "eu_referencenumber", "unitednationid", "designationdate", "designationdetails", "remark",
    "subjecttype", "subjecttype_classificationcode", "regulation_type", "regulation_organisationtype",
    "regulation_publicationdate", "regulation_entryintoforcedate", "regulation_numbertitle", "regulation_programme",
    "regulation_publicationurl",
  ].map { "entity_\($0)" }

  /// Left out but for the remark: numbers of rows, languages, and by which regulation a part came into the list.
  private static let ofEveryPart = [
    "logicalid", "regulationlanguage", "remark", "regulation_type", "regulation_organisationtype",
    "regulation_publicationdate", "regulation_entryintoforcedate", "regulation_numbertitle", "regulation_programme",
    "regulation_publicationurl",
  ]

  private static let country = ["countryiso2code", "countrydescription"]

  private static let parts: [(part: String, columns: [String])] = [
    (
      "namealias",
      ["lastname", "firstname", "middlename", "wholename", "namelanguage", "gender", "title", "function", "strong"]
    ),
    (
      "address",
      ["city", "street", "pobox", "zipcode", "region", "place", "asatlistingtime", "contactinfo"] + country
    ),
    (
      "birthdate",
      [
        "birthdate", "day", "dayofmonth", "month", "monthofyear", "year", "yearrangefrom", "yearrangeto", "circa",
        "calendartype", "zipcode", "region", "place", "city",
      ] + country
    ),
    (
      "identification",
      [
        "number", "latinnumber", "diplomatic", "knownexpired", "knownfalse", "reportedlost", "revokedbyissuer",
        "issuedby", "issueddate", "issuedate", "validfrom", "validto", "nameondocument", "typecode",
        "typedescription", "identificationtypecode", "identificationtypedescription", "region",
      ] + country
    ),
    ("citizenship", ["region"] + country),
  ]
}
