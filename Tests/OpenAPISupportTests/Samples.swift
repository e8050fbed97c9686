// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import OpenAPISupport

/// Small documents for the tests.
enum Samples {
  /// A document with one operation that answers 200 with the schema; everything in flow style.
  static func document(schema: String, schemas: String = "{}") -> String {
    """
    openapi: '3.1.0'
    info: { title: Sample, version: '1' }
    paths:
      /things:
        get:
          operationId: things
          responses:
            '200': { description: Found, content: { application/json: { schema: \(schema) } } }
    components: { schemas: \(schemas) }
    """
  }

  /// The rules that a value breaks, in the order of discovery.
  static func rules(_ json: String, against schema: String, schemas: String = "{}") throws -> [String] {
    let document = try OpenAPIDocument(yaml: document(schema: schema, schemas: schemas))
    return document.validate(
      response: (200, "application/json; charset=utf-8", Data(json.utf8)), method: "GET", path: "/things"
    ).map(\.rule)
  }

  /// Where and why a document is refused; empty when it loads.
  static func faults(_ yaml: String) throws -> [Violation] {
    do {
      _ = try OpenAPIDocument(yaml: yaml)
      return []
    } catch let invalid as OpenAPIDocument.Invalid {
      return invalid.faults
    }
  }

  static let shop = """
    openapi: '3.1.0'
    info: { title: Shop, version: '1' }
    paths:
      /items/{id}:
        get:
          operationId: item
          security: [{ token: [] }, { bearer: [] }]
          parameters:
            - { name: id, in: path, required: true, schema: { type: string, format: uuid } }
            - { name: depth, in: query, schema: { type: integer, minimum: 1 } }
            - { name: exact, in: query, required: true, schema: { type: boolean } }
            - { $ref: '#/components/parameters/Key' }
          responses:
            '200': { $ref: '#/components/responses/Item' }
            '204': { description: Nothing }
      /items/first:
        get:
          operationId: firstItem
          responses: { '200': { description: A page, content: { text/html: {} } } }
        post:
          operationId: addItem
          security: [{ partner: [] }]
          requestBody:
            required: true
            content:
              application/json: { schema: { $ref: '#/components/schemas/Item' } }
              multipart/form-data: { schema: { type: object } }
          responses: { '201': { description: Made } }
      /{kind}/{id}:
        delete:
          operationId: remove
          requestBody: { content: { application/json: { schema: { type: object } } } }
          responses: { '204': { description: Gone } }
    components:
      securitySchemes:
        token: { type: apiKey, in: header, name: x-token }
        bearer: { type: http, scheme: bearer }
        partner: { type: http, scheme: basic }
      parameters:
        Key: { name: X-Key, in: header, schema: { type: string, minLength: 3 } }
      headers:
        Count: { required: true, schema: { type: integer } }
      responses:
        Item:
          description: An item
          headers: { X-Count: { $ref: '#/components/headers/Count' }, X-Note: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
      schemas:
        Item: { type: object, required: [name], properties: { name: { type: string } }, additionalProperties: false }
    """
  static let id = "0198c2f4-6f0e-7c55-9a0a-0d0c5f1d7a03"
}
