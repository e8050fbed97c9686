// SPDX-License-Identifier: Apache-2.0

/// The measures of identity-documents §7: integer sums, so that they are the same on every machine.
extension LumaPlane {
  /// Variance of the Laplacian (kernel 0 1 0 / 1 −4 1 / 0 1 0) over the interior pixels of a part; 0 when it has none.
  package func sharpness(columns: Range<Int>? = nil, rows: Range<Int>? = nil) -> Double {
    let columns = (columns ?? 0..<width).clamped(to: 1..<max(1, width - 1))
    let rows = (rows ?? 0..<height).clamped(to: 1..<max(1, height - 1))
    guard !columns.isEmpty, !rows.isEmpty else { return 0 }
    var sum = 0, squares = 0
    luma.withUnsafeBufferPointer { pixels in
      var y = rows.lowerBound
      while y < rows.upperBound {
        var at = y * width + columns.lowerBound
        let end = y * width + columns.upperBound
        while at < end {
          let upright: Int = Int(pixels[at - width]) + Int(pixels[at + width])
          let level: Int = Int(pixels[at - 1]) + Int(pixels[at + 1])
          let value = upright + level - 4 * Int(pixels[at])
          sum += value
          squares += value * value
          at += 1
        }
        y += 1
      }
    }
    let count = Double(columns.count * rows.count), mean = Double(sum) / count
    return Double(squares) / count - mean * mean
  }

  /// The sharpness of the least sharp quarter that shows anything: a picture may be in focus on one side only, and a
  /// quarter without print is not out of focus.
  ///
  /// Print can also be seen at a quarter of the size, where a blur of a few pixels disappears.
  /// - Parameter contentMin: variance of the Laplacian at a quarter of the size, below which a quarter shows nothing.
  ///   Where none shows anything, all count.
  package func quarterSharpness(contentMin: Double = 0) -> Double {
    let small = reduced(by: Self.coarseness)
    let quarters = [0, 1].flatMap { row in [0, 1].map { (column: $0, row: row) } }
    func measure(_ plane: LumaPlane, _ quarter: (column: Int, row: Int)) -> Double {
      let (columns, rows) = (plane.width / 2, plane.height / 2)
      return plane.sharpness(
        columns: quarter.column == 0 ? 0..<columns : columns..<plane.width,
        rows: quarter.row == 0 ? 0..<rows : rows..<plane.height)
    }
    let printed = quarters.filter { measure(small, $0) >= contentMin }
    return (printed.isEmpty ? quarters : printed).map { measure(self, $0) }.min() ?? 0
  }

  private static let coarseness = 4

  /// Means of squares of pixels; what is over at the right and the bottom is left out.
  func reduced(by side: Int) -> LumaPlane {
    let (columns, rows) = (width / side, height / side)
    var small = [UInt8](repeating: 0, count: columns * rows)
    luma.withUnsafeBufferPointer { pixels in
      for row in 0..<rows {
        for column in 0..<columns {
          var sum = 0
          for y in row * side..<(row + 1) * side {
            let start = y * width + column * side
            for at in start..<start + side { sum += Int(pixels[at]) }
          }
          small[row * columns + column] = UInt8(sum / (side * side))
        }
      }
    }
    return LumaPlane(width: columns, height: rows, luma: small)
  }

  /// How many pixels have each luma.
  package var histogram: [Int] {
    var counts = [Int](repeating: 0, count: 256)
    counts.withUnsafeMutableBufferPointer { counts in
      luma.withUnsafeBufferPointer { pixels in
        var at = 0
        while at < pixels.count {
          counts[Int(pixels[at])] += 1
          at += 1
        }
      }
    }
    return counts
  }

  /// Mean of the chroma plane.
  package var meanChroma: Double {
    guard !chroma.isEmpty else { return 0 }
    var sum = 0
    chroma.withUnsafeBufferPointer { pixels in
      var at = 0
      while at < pixels.count {
        sum += Int(pixels[at])
        at += 1
      }
    }
    return Double(sum) / Double(chroma.count)
  }

  /// The largest 4-connected blob of pixels with luma ≥ 250 and chroma ≤ 12 inside a part, as a share of the part.
  /// - Parameters:
  ///   - withinBorder: leaves out blobs that reach the part's border, which may be the light behind a page.
  ///   - labels: parts that are white by themselves; no pixel of them counts.
  package func glare(
    columns: Range<Int>? = nil, rows: Range<Int>? = nil, withinBorder: Bool = false, labels: [Region] = []
  ) -> Double {
    let columns = (columns ?? 0..<width).clamped(to: 0..<width), rows = (rows ?? 0..<height).clamped(to: 0..<height)
    guard !columns.isEmpty, !rows.isEmpty else { return 0 }
    let blobs = GlareRegions(self, columns: columns, rows: rows, labels: labels)
    return Double(blobs.largest(withinBorder: withinBorder)) / Double(columns.count * rows.count)
  }
}

/// Joins horizontal runs of glaring pixels that touch a run of the row above.
private struct GlareRegions {
  private struct Run {
    var start: Int
    var end: Int
    var blob: Int
  }

  private var parents: [Int] = []
  private var areas: [Int] = []
  private var reachBorder: [Bool] = []

  init(_ plane: LumaPlane, columns: Range<Int>, rows: Range<Int>, labels: [Region]) {
    var above: [Run] = []
    for y in rows {
      var current = Self.runs(plane, y: y, columns: columns, labels: labels.filter { $0.contains(row: y) })
      var first = 0
      for index in current.indices {
        while first < above.count, above[first].end <= current[index].start { first += 1 }
        var at = first
        while at < above.count, above[at].start < current[index].end {
          current[index].blob = current[index].blob < 0 ? above[at].blob : join(current[index].blob, above[at].blob)
          at += 1
        }
        if current[index].blob < 0 {
          current[index].blob = parents.count
          parents.append(parents.count)
          areas.append(0)
          reachBorder.append(false)
        }
        let (run, blob) = (current[index], root(current[index].blob))
        areas[blob] += run.end - run.start
        if y == rows.lowerBound || y == rows.upperBound - 1 || run.start == columns.lowerBound
          || run.end == columns.upperBound
        {
          reachBorder[blob] = true
        }
      }
      above = current
    }
  }

  func largest(withinBorder: Bool) -> Int {
    areas.indices.filter { !withinBorder || !reachBorder[$0] }.map { areas[$0] }.max() ?? 0
  }

  private static func runs(_ plane: LumaPlane, y: Int, columns: Range<Int>, labels: [Region]) -> [Run] {
    guard labels.isEmpty else {
      // What is left of the row between the labels.
      var parts: [Run] = [], from = columns.lowerBound
      for label in labels.sorted(by: { $0.x < $1.x }) {
        if label.x > from { parts += runs(plane, y: y, columns: from..<min(label.x, columns.upperBound), labels: []) }
        from = min(max(from, label.x + label.width), columns.upperBound)
      }
      return from < columns.upperBound
        ? parts + runs(plane, y: y, columns: from..<columns.upperBound, labels: []) : parts
    }
    var found: [Run] = []
    plane.luma.withUnsafeBufferPointer { luma in
      plane.chroma.withUnsafeBufferPointer { chroma in
        let row = y * plane.width
        var x = columns.lowerBound
        while x < columns.upperBound {
          if luma[row + x] >= 250, chroma[row + x] <= 12 {
            let start = x
            while x < columns.upperBound, luma[row + x] >= 250, chroma[row + x] <= 12 { x += 1 }
            found.append(Run(start: start, end: x, blob: -1))
          }
          x += 1
        }
      }
    }
    return found
  }

  private mutating func root(_ blob: Int) -> Int {
    var at = blob
    while parents[at] != at {
      parents[at] = parents[parents[at]]
      at = parents[at]
    }
    return at
  }

  private mutating func join(_ left: Int, _ right: Int) -> Int {
    let a = root(left), b = root(right)
    guard a != b else { return a }
    parents[b] = a
    areas[a] += areas[b]
    areas[b] = 0
    reachBorder[a] = reachBorder[a] || reachBorder[b]
    return a
  }
}
