/// The description of every route in OpenAPI 3.1, built in from the document beside this file.
package enum APIDescription {
  package static var yaml: String { String(decoding: PackageResources.openapi_yaml, as: UTF8.self) }
}
