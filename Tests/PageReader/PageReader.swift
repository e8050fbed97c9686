import Evidence

/// A worker without the server around it, for the tests of the pool.
@main
struct PageReader {
  static func main() throws { try EvidenceWorker.run() }
}
