// SPDX-License-Identifier: Apache-2.0

/// Looks through a whole document for what would otherwise be passed over: unknown members, references that lead
/// nowhere, schemas with keywords that are not checked.
struct DocumentAudit {
  static let methods: Set<String> = ["get", "head", "put", "post", "delete", "patch"]
  static let places: Set<String> = ["query", "header", "path"]

  let root: JSONValue

  var faults: [Violation] {
    var faults = known(root, ["openapi", "info", "servers", "tags", "paths", "components"], at: "")
    if root["openapi"]?.text?.hasPrefix("3.1.") != true {
      faults.append(fault("/openapi", "openapi", "Not OpenAPI 3.1."))
    }
    faults += each(root["paths"], at: "/paths", pathItem)
    faults += repeatedIdentifiers
    let components = root["components"] ?? .object([:])
    let kinds: Set<String> = ["schemas", "parameters", "headers", "responses", "securitySchemes"]
    faults += known(components, kinds, at: "/components")
    faults += each(components["schemas"], at: "/components/schemas", SchemaKeywords.faults)
    faults += each(components["parameters"], at: "/components/parameters", parameter)
    faults += each(components["headers"], at: "/components/headers", header)
    faults += each(components["responses"], at: "/components/responses", response)
    return faults + danglingReferences(in: root, at: "")
  }

  private func pathItem(_ item: JSONValue, at place: String) -> [Violation] {
    known(item, Self.methods, at: place) + each(item, at: place, operation)
  }

  private func operation(_ operation: JSONValue, at place: String) -> [Violation] {
    let members: Set<String> = [
      "operationId", "tags", "summary", "description", "security", "parameters", "requestBody", "responses",
      "deprecated",
    ]
    var faults = known(operation, members, at: place)
    if operation["operationId"]?.text == nil { faults.append(fault(place, "operationId", "It has no name.")) }
    for (number, element) in (operation["parameters"]?.elements ?? []).enumerated() {
      faults += parameter(element, at: place + "/parameters/\(number)")
    }
    for (number, choice) in (operation["security"]?.elements ?? []).enumerated() {
      for name in (choice.members ?? [:]).keys where root["components"]?["securitySchemes"]?[name] == nil {
        faults.append(fault(place + "/security/\(number)", "security", "There is no scheme \(name)."))
      }
    }
    if let body = operation["requestBody"] {
      faults += known(body, ["required", "content", "description"], at: place + "/requestBody")
      faults += each(body["content"], at: place + "/requestBody/content", media)
    }
    for status in (operation["responses"]?.members ?? [:]).keys where status.wholeMatch(of: #/[1-5][0-9]{2}/#) == nil {
      faults.append(fault(place + "/responses", status, "Each status has its own answer here."))
    }
    if operation["responses"]?.members?.isEmpty != false {
      faults.append(fault(place, "responses", "It has no answers."))
    }
    return faults + each(operation["responses"], at: place + "/responses", response)
  }

  private func parameter(_ parameter: JSONValue, at place: String) -> [Violation] {
    if parameter["$ref"] != nil { return known(parameter, ["$ref"], at: place) }
    var faults = known(parameter, ["name", "in", "required", "description", "schema"], at: place)
    if parameter["name"]?.text == nil { faults.append(fault(place, "name", "It has no name.")) }
    if parameter["in"]?.text.map(Self.places.contains) != true {
      faults.append(fault(place, "in", "In a query, header or path."))
    }
    return faults + schema(of: parameter, at: place)
  }

  private func header(_ header: JSONValue, at place: String) -> [Violation] {
    if header["$ref"] != nil { return known(header, ["$ref"], at: place) }
    return known(header, ["required", "description", "schema"], at: place) + schema(of: header, at: place)
  }

  private func response(_ response: JSONValue, at place: String) -> [Violation] {
    if response["$ref"] != nil { return known(response, ["$ref"], at: place) }
    return known(response, ["description", "headers", "content"], at: place)
      + each(response["headers"], at: place + "/headers", header)
      + each(response["content"], at: place + "/content", media)
  }

  private func media(_ media: JSONValue, at place: String) -> [Violation] {
    var faults = known(media, ["schema", "example"], at: place)
    if let schema = media["schema"] {
      faults += SchemaKeywords.faults(in: schema, at: place + "/schema")
    } else if place.hasSuffix("json") || place.contains("/requestBody/") {
      faults.append(fault(place, "schema", "JSON and bodies of requests need a schema."))
    }
    if let schema = media["schema"], let example = media["example"] {
      faults += SchemaValidator(document: root).violations(of: example, against: schema, at: place + "/example")
    }
    return faults
  }

  private func schema(of holder: JSONValue, at place: String) -> [Violation] {
    holder["schema"].map { SchemaKeywords.faults(in: $0, at: place + "/schema") }
      ?? [fault(place, "schema", "It has no schema.")]
  }

  private var repeatedIdentifiers: [Violation] {
    let items = (root["paths"]?.members ?? [:]).values
    let names = items.flatMap { ($0.members ?? [:]).values.compactMap { $0["operationId"]?.text } }
    return Dictionary(grouping: names, by: \.self).filter { $1.count > 1 }.keys.sorted()
      .map { fault("/paths", "operationId", "\($0) comes twice.") }
  }

  private func danglingReferences(in value: JSONValue, at place: String) -> [Violation] {
    switch value {
    case .array(let elements):
      return elements.enumerated().flatMap { danglingReferences(in: $1, at: place + "/\($0)") }
    case .object(let members):
      if members["$ref"]?.text != nil, root.resolved(value) == .null {
        return [fault(place, "$ref", "It leads nowhere.")]
      }
      return members.sorted { $0.key < $1.key }.flatMap {
        danglingReferences(in: $1, at: place + "/" + Violation.escaped($0))
      }
    default: return []
    }
  }

  /// Unknown members of an object.
  private func known(_ value: JSONValue, _ names: Set<String>, at place: String) -> [Violation] {
    guard let members = value.members else { return [fault(place, "type", "An object.")] }
    return Set(members.keys).subtracting(names).sorted().map {
      fault(place + "/" + Violation.escaped($0), $0, "This member is not checked here; it must not be used.")
    }
  }

  private func each(
    _ value: JSONValue?, at place: String, _ check: (JSONValue, String) -> [Violation]
  ) -> [Violation] {
    (value?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { check($1, place + "/" + Violation.escaped($0)) }
  }

  private func fault(_ place: String, _ rule: String, _ message: String) -> Violation {
    Violation(place, rule, message)
  }
}
