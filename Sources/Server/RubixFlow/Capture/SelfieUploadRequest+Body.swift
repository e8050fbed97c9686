import HTTP
import Kit
import RubixWire

extension SelfieUploadRequest {
  /// Reads JSON, or `multipart/form-data` with the parts `file` and `sub_type` (rubix-onboarding §6.5).
  init(_ body: RequestContent) throws {
    guard body.mediaType == "multipart/form-data" else {
      self = try body.decode(as: SelfieUploadRequest.self)
      return
    }
    let form = try MultipartForm(body)
    guard let file = form["file"] else {
      throw Problem.validation([.init("/file", "required", "This part is required.")])
    }
    guard let subType = form.text("sub_type") else {
      throw Problem.validation([.init("/sub_type", "required", "This part is required.")])
    }
    try form.refuseParts(except: ["file", "sub_type"])
    self.init(file: file, subType: SelfieSubType(rawValue: subType))
  }
}
