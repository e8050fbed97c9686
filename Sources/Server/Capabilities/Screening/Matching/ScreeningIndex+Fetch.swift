extension ScreeningIndex {
  /// Names that are fetched at a time: their words and dates stay in the processor's own memory until they are read.
  static let fetchedMax = 128

  /// Has the memory send what is read of some names, all at once: they are scattered over it, and read one after the
  /// other each would be waited for.
  /// - Returns: nothing of interest; it is there so that the reading is not left out.
  func fetch(_ some: ArraySlice<Int32>) -> Int {
    var sum = 0
    names.withUnsafeBufferPointer { names in
      for number in some { sum &+= Int(names[Int(number)].firstWord) }
      wordsOfNames.withUnsafeBufferPointer { words in
        for number in some {
          let name = names[Int(number)]
          if name.wordCount > 0 { sum &+= Int(words[Int(name.firstWord)]) }
        }
      }
      for number in some { sum &+= entries.fetch(Int(names[Int(number)].entry)) }
    }
    return sum
  }
}
