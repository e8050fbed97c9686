// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Specimens
import Testing

@testable import Evidence

/// Rows of a zone whose cells were laid one beside where they belong: every check digit holds, for the first row of two
/// has none, and state and name are wrong.
@Suite("Evidence: rows beside their cells")
struct MisplacedRowTests {
  private static let today = CalendarDate(year: 2026, month: 1, day: 1)!

  @Test("a row is laid where its glyphs are, though a mark of the ground stands before it")
  func aligned() throws {
    let picture = try #require(Data(base64Encoded: Self.creased, options: .ignoreUnknownCharacters))
    let found = try #require(try Self.zone(picture))
    #expect(
      found.reading.lines == [
        "PPISRKLASSEN<<JEAN<PIERRE<LOUIS<<<<<<<<<<<<<", "IB30816744ISR5210183M3310126<<<<<<<<<<<<<<08",
      ])
    #expect(found.reading.result.allCheckDigitsHold)
  }

  /// Reads the zone of a picture of any size.
  private static func zone(_ picture: Data) throws -> ZoneReader.Found? {
    var limits = ImageLimits()
    limits.shortSideMin = 100
    return try ZoneReader(referenceDate: today).read(Frame.open(picture, limits: limits).frame)
  }

  @Test(
    "a row whose first character is hidden stays in line with the others, and is in doubt there",
    arguments: [502, 503] as [UInt64])
  func hidden(seed: UInt64) throws {
    let drawn = try SpecimenCache.draw(.idCard, seed: seed)
    let back = try #require(drawn.images.first { $0.side == .back }).picture.data
    let clean = try #require(try Self.zone(back))
    let names = clean.reading.lines[2]
    var raw = Pictures.Raw(try LumaPlane(Frame.open(back, limits: ImageLimits()).frame))
    let pitch = Double(clean.zone.pitch)
    /// The middle of a cell of the third row, which begins 0.8 pitches within the zone.
    func middle(_ column: Double) -> (x: Double, y: Double) {
      let across = (column + 0.8) / (Double(clean.zone.columns) + 0.6), down = 5.9 / 6.8
      func between(_ corners: [Double]) -> Double {
        let above = corners[0] + (corners[1] - corners[0]) * across
        let below = corners[3] + (corners[2] - corners[3]) * across
        return above + (below - above) * down
      }
      return (between(clean.quad.corners.map(\.x)), between(clean.quad.corners.map(\.y)))
    }
    // A finger on the first character, and another letter behind the last.
    let first = middle(0)
    let letter = raw.part(
      x: Int(middle(5).x - pitch / 2), y: Int(middle(5).y - pitch * 0.8), width: Int(pitch), height: Int(pitch * 1.6))
    let finger = Pictures.Raw(
      LumaPlane(
        width: Int(pitch * 2.55), height: Int(pitch * 1.8),
        luma: [UInt8](repeating: 158, count: Int(pitch * 2.55) * Int(pitch * 1.8))))
    raw.lay(finger, x: Int(first.x - pitch * 2.05), y: Int(first.y - pitch * 0.9))
    raw.lay(letter, x: Int(middle(30).x - pitch / 2), y: Int(middle(30).y - pitch * 0.8))
    let found = try #require(try Self.zone(Pictures.png(raw)))
    #expect(found.reading.lines[2].dropFirst() == names.dropFirst())
    #expect(found.reading.doubtful.contains(200))
  }

  @Test("strong blur, which leaves glyphs alike, hides no zone", arguments: [3038, 5003] as [UInt64])
  func blurred(seed: UInt64) throws {
    let drawn = try SpecimenCache.draw(.passport, seed: seed, degrade: "blur:4,lowres:4")
    let page = try #require(drawn.images.first)
    let found = try #require(try Self.zone(page.picture.data))
    #expect(found.reading.lines == drawn.truth.sides.first?.mrz)
  }

  @Test("a row that begins with a letter that no code begins with is in doubt as a whole")
  func code() throws {
    let sure = ZoneReader.Cell(glyph: 22, rival: 23, fit: 0.95, lead: 0.3)
    let cells = [[ZoneReader.Cell]](repeating: [ZoneReader.Cell](repeating: sure, count: 44), count: 2)
    func doubtful(_ first: Float, beside best: Float) -> [Int] {
      var seen = cells
      seen[0][0].fit = first
      let other = ZoneReader.Cell(glyph: 34, rival: 18, fit: best, lead: 0.02)
      return ZoneReader.doubtful(seen, code: other)
    }
    #expect(doubtful(0.75, beside: 0.95) == Array(0..<44))
    #expect(doubtful(0.95, beside: 0.95).isEmpty)
    #expect(doubtful(0.9, beside: 0.95).isEmpty, "Y for a worn I")
    let reading = MRZReading(
      lines: ["MPPISRKLASSEN<<JEAN<PIERRE<LOUIS<<<<<<<<<<<<", "IB30816744ISR5210183M3310126<<<<<<<<<<<<<<08"],
      referenceDate: Self.today, doubtful: Array(0..<44), confidence: 1,
      region: Region(x: 0, y: 0, width: 1, height: 1), source: .pitch)
    #expect(reading.doubtfulFields.isSuperset(of: [.documentCode, .issuingState, .name]))
    for (rows, columns, codes) in [(3, 30, "ACI"), (2, 36, "ACIPV"), (2, 44, "PV")] {
      let alphabet = try #require(MRZAlphabet.choose(rows: rows, columns: columns, head: "P<UTO"))
      #expect(alphabet.codes == codes)
      #expect(alphabet.glyphs(line: 0, column: 0).map { MRZAlphabet.characters[$0] } == Array(codes))
    }
  }

  /// The zone of a drawn page with a crease beside it, from a program that is not kept.
  private static let creased = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACAWGBwYFCAcGhwkIiAmMFA0MCwsMGJGSjpQdGZ6eHJmcG6AkLicgIiuim5woNqirr7EztDOfJri8uDI
    8LjKzsb/wAALCACMAvYBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG
    E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJ
    ipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/ADTY2K2TgfKp
    kyfrmtdetK3NIKU9KYVzSLH3NO74pzdKQcUpGRTQoz0pcUE84pT0pF4paQdaXrSHil7U0dacabnmnHmk6ClHrSdDSjmmt1p3am04dKbjnNOzSEYp
    c8UhXioypNRleamjFPbpSDgUUopMZNBPNL2pvSnDpTcZNIVyajcYqFzTDQOlPiHzZq4PSlakFDdKBwKUCmj71OPNJ0pTyKQ8ClXpS9V+lJmkPWjO
    ahl4piCp1GBT1ppGTmlz2oI4ozxijGBQvNBoHWhutHag0o6UmO9KDxSY+YVmfZ5jcXLJ8u+MBGz3qOCxnjlgmW3VWQ4ceZkt7+lX7KCSKa6Z1wJJ
    MqcjkU9VVGRUACjgAfSpRxSjmkPWl60jcU4dKZjnNOzmkNLSHilXpSfxUpNIeBSikNKtIeTSk8UhGBQOaQr3pVoelHAxSUKaD60zfzipD0pBS9qa
    vWnHmk6GlPTFIOBSBQaUcGl6mkbilHSkpV6UhGTRmgijPal7U1ajkNVm60lFWIVqYdad1pDwaOtDUo6UgHegcmlakFDc0ZwKcn86aOGpaYTioHbJ
    pU61ZA4pvSnDpTR96nHmk6GlNJ0FA5FJ0oZsDNVzKd1So+afmnHpSDgUo61DHUy06si01Brm8RP3YVicLzuHB/CtVulIvSg9KF60Hk0ZpcfLSL1p
    TzSDrStzSdBSjpSD71KaQUp6Ug4pRTf4qcelIOKXtSDilHJprdad2pOlDfdqJV+apaCMUucikPAoTmg9aBQ9A4FHWhaMZNGcHFLSHilHSm96a0nN
    M381KGyKG4FQMc1ERQq5p+zmpkGKlxxSClpB1oPJoPFL2po4p3ak70Dk0jdadnihx39aQdKjlqBQSanVakz2oI4oB4oxxQvJoNAobmgcCg9KikqE
    ISamjXmpSKOtK3CihO1Z1rcTfazBOiAldylTS6iWF1ZlFDNvOB09KmtbuRpZoblUV4yOUzg5qO2s2t512TsYQSRGR7HvV48mkPFL2pOlKtNP3qcT
    xSdKUdKTvSjk0j9aUfdpPelHNIetA5oalXpSY70daDQKVulIvSjGTRnmlI4pPajaAM0i9aceaToaH6U1Tinjmk6Gl6mmt1p3akNKvSkxk5ozSkUm
    e1BHy1VY805akXrSv0qMihY808R4p6qKCMGnZpCKAaMcZoXrQeTRntSnpSZpT0pFo6mkY468Cn9UqNnWPG9lXJwMnGT6U5lDCoElh+0GEMGkAyQO
    31qdeahiuYp5HWJt2w4JHT86lkkSKMvIwVR1JqK3nW4jEiKwUnjcMZHrSXd3HbKAcvI33Y16tUyZ2AkbSRkj0qs97m4EFunmvn5yDgIPc1ZZggLM
    QAOST2qrBdSXU4MEY+zjOZG/i/3akurmO2UNITk8Ko5LH2otGuXDSXAVA33Ix1Ue5qK6ugknkQJ5s5/hHRfcmp7aOSOECaQSSHkkDAHsKqG4lu3a
    KyO1AcPOeg9l9TV6NdkapuZtoxljkmnDg0p5ApOjCqiW+bxbjd0TbtxUs1t500Em/b5RJxjrSx2oW7mnLbvNA+XHTAxTv4xT0obk0D0oNKDgUgFA
    PNK1IKU9KRaDyaM80p6Ugpe1NXrSnk0Hil7U0dadSd6U80h4pV6U3vTs0hHNKTxSHgUKc0hIppbNIetSA8UYzQDRjNJnnFOI4pOlKOlNHWndaQjn
    NI0iYxuGT71BMUhQvIwVfUmkt5YZ8+VIrkdQDTrm4htFDTPtDHA4zRbXMF2CYZA2Oo6EU27u7e1KiZiC3QAE060u4rlW8rd8uM5UipnZUQsxCqOS
    T0qO1uUuIy8YbYDgEjG73HtRazi5jLhSuGK4PsakJwSScAdaof2lLgTtb4tC20PnnrjOPSrF9O1taSTIAWXGAenWlvZmhWHZj55VQ59DT5llMREL
    qj9iwyKr6VJPPbieeQNv6ALjHNN1KV1mgiWXyEkJ3SemO1T2iTxqyTSiVQfkbuR71DdXbm4+y2oBnxlmbog/rU9rB9njKmRpHY5ZmPU/0qobiTUG
    aO1by4VOHl/iPsB/WrsYW2tsDcVjX6niqEO7VT5krBbcHiJTyf8Ae/wrS3bB0z2wKqQ2oknM88gmkVvlXtH+HrSanJcJCvkBthP7xkGWUewqSxW1
    FsDaEMp6nuT71W1J5Q6LJvWzP+saPr9D6Cr1sIfJX7Pt8rHy7elZ11uS98y+UyWoPybfuqf9oVphllj3ROCCPlYc1l25+wXDG9TLOeLjqD7H0rTu
    I2ntmSN2XcOHWqNpIdPC21zCIwThZVHyuff3q1fWgvIPLLlCDkH/ABFRWtxLHKtrcxbXIwjp9xsfyp13ZGaVbiGTy50GFbqCPQinWk0spZJ4jHIm
    MnqrfQ0y5sT5puLWQRTHr/df6iprZ5ZIszx+W4OCM5z7iq89iYnM9k/lSHqhHyP9RVuEsYlMg2uRyBzg044pQR2pMZcfWoo6nWkeRIxmR1UepOKz
    badru/jZWIjSLLAHgsR3rR6Uq+tNPWnUh607tTR1zS9aQ9aXOaQ8ClXpmmn71OzSGl7UmMULzQ3WlzSEcUCl96RTzzQ3PSmtLHHw8iqfcgUqOki7
    kZWHqDmmxTRyM6o4YocMAehp0UiTJvjbcuSM/Smu6xgu7BVHUntUZmWWNXjOVYZBxioJLpYRlj16AdTUqyZponH2oQ4Odm/P44p13P8AZbZptm/B
    AxnHU0yKa9aZVlsxGh6t5gOPyqa9uPstnJMACVHAPrTLG4a5t90gCyKxVwOgIqtc30lvqsaE/uCo3DHTJxn+VWIJHfULtGYlU2bR6ZBzS3V6sLCJ
    FMs7fdjXr+PoKfbJOsZNy4Z2OcKOF9ves9A0qTyyX0sRWRgBuGAB7VfsJXnsYpZR87Dnjr71R+zIdZCs8hUx+bjeeu7+VaN1/wAek3+438qyLJdM
    YwoYi0xAzwxG6rutEC0XI3DzF4x15qG1KXOoLLDAYVhUq+VCkk9sVLqbsk9myoXIkOFHU8Umns1zcy3ZQRjHlhc5PHJzSXjzLqcDQRiR/Lb5S2Kt
    wNOyZuI1jbPRWzxVG+3i7D3is9mOgToD6sK0UZHjVoirIem3pVbSv+PV/wDrq/8AOp7lS9rMF+8UYD64qhLKjaCuOd0aoB78DFT6op/smQdSFGfz
    FNv5kk+yhHDFp0YAHt61dmkjhTdI6ovTLHFUtFmjawjjDguoO5c8jk1JfTwxlI7qMNDJnLkZCntUWldZ/KLG23Dyt3649qs3VlFdYY5SRfuyLwRS
    2qzohW5dWZTgMo6j1PvUdzYqz+dbOYZ/7wHDfUVYi3iJfOA8zHzbTxmq01irSefasYJu5HRvqKtDjHrUU1mrXKXMbtE/8W3o49DU2eegqJbaFLkz
    Im12GGx0P4VKx4xx+VRW9tFbl2iXbvOSB0/LtUp5yD0PamwRJAhSJQik5wPWldQ4KuAynqDyDQAAAqjAHAAocDoRTh0pppw6U0DnNL1NB60daDxS
    jpTaevUVhWk0y3kAJkCS54eQNkf0q5ZCSW7uC00m2OU4TPB+vtV+SCKYjzY1fHTcM1T022NsnzgB3JZgOg9quNSg4FJjvQDzSMeaA2eKinvLe3IS
    WVVYjODT4Jo5l3xOrr6g1Xm1O1hmaJ2bevXCk4qxBNHOgkiYMp6EVXu9QEEwiMEzk8AqvDfSrSNlAcEZGcHqKoNe3LmR7a3V4omKsS3LEdcCrgl/
    c+btI+Xdg8Hp0qiupXAgW4ltQIDj5lfJA+lWb+Z4bOWWM4ZRwcVG9zJcTrBbHATBlkxkD2HvUmoTPb2MksZw4xg49xVleagvZjBaSyA4KqcfXtVf
    SXm2ywXDM0kZByxycEZo1UHZEWDmAN+9Cdcf4U/T4rdN8lpLuhfHyA5CmotUUCSBp1drUZ3hc9exOO1T6dFCiO1tJvhc5Vc/dqlcm3XVZvPhaX5V
    2hV3YrStPK+zgwxGJSc7Su0/lWTas1tfSTk/u5J2ib2PUH9TV/SP+PBf95v5mqiMLm9KaidjKf3cJ+6ffPer9znYdgGQOM9KzYCokPnZ8/8A2v6V
    aLhF3McAd6EGdVX/AK4H/wBCp2sf8g18f3l/mKltra4jl3zXZmXH3dgWoNWZ2NvBEu53k3bScZA5o04ypeXMU6KjPiUKDnrwabPCs+qSxN0a2x9P
    mpujPI0935w+dQit+AIqeeyfzjc2snlz988q31FWLWWWVD50JidTgjsfcVQs7G3maaWWIM4mcZOfX0rU4wAAABWU08g1QTC0uSgj8v8A1Z656/St
    GdTJbSqoyxQgD8KqW813HbxR/YWJRQpJkA6DGamvYHuYlRCMh1bn0Boe2Zb8XERAV12yD19DTp7czTW7hgPKfcR68UJbeVdyzI2FlA3Jj+L1qO5t
    ZZJ45oZhEyKV5Xd1qW2inTd59x52enyBcVKfQ9KbDBFAGESBAxyQPWqbaXGGO2e4UMSdqvgfyq9FGIoVQFiFGMscmqyafbJcecI/mzkc8A+uKtEB
    lIIBB4INQQ2VvBJvihVW9RUsiJKNsiK6+jDIpFhiiz5UaJnrtUCn4BXBAI96McUCjHekHJxSt0oHAoPSnLytJjimr96lbmjOKO1Ape1NXrSnk0Zo
    PSjPalPSkSg80Cmk5NOzxQRxSqeRVGKxtgABEODnqetW4YY4mdkXBc7m56mkuLSC62+cm7bnHJH8qr2t0ZrhopIjFIgyVznt61cpp6089KYOKRqY
    OtUJ5RFqhYwvNmEDCLuI5qbT4nWW4naIwrKRtjPUY7moYp5o728ENs02XGSGAxxVrT7d7eFzLgPI5cqvRc9qZe83dkf+mp/lV1utZskexZruwuNu
    0kyIeVJHX6Gre/zrHzcY3xbsemRWRCsvkWa3EubSQ4wFxg9gT6Vp6qP+JdP9P61Wt2OmsscnNrIcrJ/dJ7GrGs/8gyX/AID/AOhCpI7+1O1RcRlj
    wBnrUOrAyxxW6tgzSAZxngc5qKCOW11VPNmMxnQjdtxyOat3ks0Ox4ozIgPzqoy2Paq9ijNdzXAhaCNwAFYYLH1xU95NPA8bJEZYSCHCjLA9jUem
    ROrzzNGYklYFY/THf8abKt1Ffyyw23nK6qM7wuMVZtnmdCZ4hE2fuht3FQLYl7W6hkwPNlZ1IPTpg/pT9Pge1tFilILgknBz3qe4t4rmLZMgYdvU
    fSoTH5MKoGZtowCxyarSRpKMOM0rxrIhRuh4qeytBExlZ2kcjblj0HpUt1AlxCYpM7TjocVFBp1vDIsi7y69CXJqcwo0yzFcuoIB9M0vloZvN2jz
    Au3d7elKUXduwN2MZxzigAAnAAJ6+9O7Ui0tNHWnNzxSdKUUnSheTmhutKKRqVelJjPNANGMmgntSnpSCl7U1etL1NB4pe1NPFOHSmgc5pepobrS
    9qBw31pTxTQMc0LyaRutOppp3ak6CheeaQ9adTSOaUnimuyxrl2Cj1JxTlIIznNV5722gk8uWZVc9v8AH0qdQCMg5B7ij+KnGkXhhVdZY1baZEBG
    Mgmplmi3+X5ib/7u4Z/KnGWMMVMiBh1GeRWXphH2yXymaSIrnzHHJOOma1AaCKM54pW6U0DIpCtQJA39oNNxsMYX3zmrLVBbwGKe4kLAiVgQPTAq
    welUbiwkuJxJ9qdApyqhR8p+tXI0KoqsxcgYLHqaqyabayTF2Q/McsoYgE+4q2ygpsx8uMY9qg+yQm1Fsy5iAxgmp2RXjKMoZSMEHmmlFYFXUFfQ
    jIpJdrqUdQynqCMg1CsUEbArDGpHQhAKnVgcZpacKb3pxOaQ8ClXpSEUopCOaCe1RTciqwBpyISatpwMU480h4pR0po606m45pSc0EYFC80GhetD
    c0dOKU8ikHFKBmk6Gl601uKcOlNpwNJjnNGc0EUA8Up6Ui0hIJo3Uh5pQcDFOxxTI2VxuVgw9QaWR1RC7sFUdSe1Ijq6hlOVIyD602e4ig2mVwu4
    4UdST9Kmfsarm7iNwLdcu+MttGQv1NSghQSxAA6k1Bb3S3UjiJWMa9JD0Y+1PnuI7aMySsFUfrSWssk8Zd4jECflBPJHqfSo7m8EUgiiXzZ26IO3
    ufQVYXf5K+bt34+bb0zVNruSdzDY4ODh5iPlX6epq5JIkMZklYKo6k1UgluLuZZFzDbA5GR80n+AqW7u0t9qhS8r/cjXqf8A61NtIpw7S3MhLsMe
    Wv3VH+PvULQx3epTidd6wqqqp6DIyak00eWLiAE7Y5SFB7A84qhcyvDNeJDEsyvy74z5eeoPrWtZhVtIlRt6hAA3rUuKF5NL/EKyYolk1SfcoYqg
    Izzg+tU7eLLJG0jLOH+4IcsDnru9KuymAatObiMuu1cfLuwcCtIff/P+VOHFL2pBwaU8mkPFL1FJ0pRyc0jdaWkPFKOlJ3pc0hFLnjFIRxUe0mo3
    BzQpqZeRThwKUDimj71Obmk6UtJ0pRTf4qGUGmmICnIoFKaVaRuTRntS44pBS00dac3PFRPPDEdryopHYsKBKsi7kYMvqDxQHxTw6hC7EBQMk1Vb
    U7LP/Hwv5GrMkoiiLlWYDsoyTVNtSTzo4mt50MhwpZMVceRIYmeRgqqMkmorO6S8iaRFZQrFfm/D/Gm3Vy8LRxQxiSaTO0E4AA6k0lrcSSTPBcRq
    kyAN8pyGHqKbf332UbI08yUgsF7AepqzA5ltopCMF0DY+oqrLHfFndbmOJRnaoTOR7k1YspjcWccrDBYciqn2nz9RESTLHHEfm+YAu3oPatBiBkk
    4A61Qa5lu5PLsjtjB+acjI+gHerdxcR28RklbCj9aqxG5mkE8mYYR92Lu3u3+FE92IsAAs7cKo7022STzDLNIS5GNo+6tPuLwpKtvAm+4YcA8BR6
    mpbW2aHc0krSyvyzHp+A7VVkme+u3tN/kRpww6PJ9Par6RJBCEiQBVHCis22Iv7lheNtaM/LbHgfU+taM/mLCxhUM4HyqeBVDTPKkmLzMTeDqJBg
    r9B6Vfu1kktZFiJD44wcH8Kr6dJa+T5duNjD76t97PvTdUt55djJ+8hXl4Qcbvx/pU9lcwzx4h+UpwYyMFfwqreW8y3a3aKJ1Uf6o9V91q5a3Mdz
    HvjJ4OCCMEH0NUVgm02R5IkM8LnL/wB8fj3q+Cl1B3Mci/Tg1SEdxpoCopuLbPAA+dP8auzQR3MBjlXcpqrCl1ayrHnz4CcBifmT6+oqxc2sV1GB
    IvI+6w4K/Q1HapdRO0czLJGB8snRj7EVDJKbS/mlaN2jmCnKDOCOMVJYK+JZZFKmVywU9QO1RKt5aGWOK3WZZHLh94GM+oqzZ25tbWOEncVHJ9+t
    WT0po4py8sKhjqYVFHbbLyW4358xQNuOmKrWd4bi8kjMTqFzglenHerrUo6UHpSLQ3JoHpQ3SlXgUmM0Z5pSKTOKXHFNHWnU3vTm6Ug4FJtDUwx8
    1IowKG60I6uuVYMM4yD3pOACTwKSKVJkDxtuU9DSTzRQgGWRUB6bjiiGaOdN0ThxnGQabc3MFvjzpVTPQE1JG6ugZWDKehHQ1Uk1K3ikdGEhKHDF
    UyBVmKRJVV42DI3IIqmLq8nklEEMWyOQplmPOKuEyLCSFBk2/dzwT6VRkmv7YLNcGFoywDIoORn0q9NIYYmcIzlRwqjk1U0+a5kup1uSAQqsEH8O
    e1SX80kUaLDgSSOEUnsT3qNTcWt3CktwZ45sj5lAKkc1Lex3EirHAwRWzvfuB7UzSCTpkOSSfm6/7xqDVCguYhdFxalT93ON3vj2qXSCzQOcuYi5
    8recnbTNWjRIy0VoJJJDy4j3bfeprFIRZoLdtyep6575rFgL+Stvk4uCrD2GTn+VbOl/8g+LPQqaq3g2XitcW5FnGRgoBgn1PtWrnnis5xNbX32m
    4VJEdtisDzGD04q9PDHMAsqBgDuAPrUGm8C7/wCvlv5CmScaxDnvE2PzpRzrhI7W/P8A31U16o+yTtgZ8thn8KWyObK3H/TJf5Cqsxa+uJIfM8u3
    iO18HBc+n0q6oCw7YgMKuFA6VjRR2P8AZDPKUM+GySfm3dq1LdPOsUS4GS0YDA/Sq4jubAgRA3Fv/d/jT6etW54I7mPy5l3KefofWqmy5tmETP50
    J6MT8y/X1pskayLhxn+lPs45lk2swePHBPUVPc2kVyoEgIYfddeGX6GltEuUDJcOsgH3HHUj3pLm1iusCQcj7rLwy/Q1LCjxwqkkhlYfxEYJqO5t
    IrlR5gIYfddeGH41Mi7Y1UsWIGNx6moZ7WGfa0i/MpyGBwR+NWU61C1vEbkTFB5i9G71KeaYI0WQuFAcjBbHJpxpAAucDGetOHSmr1pTyaO9KelJ
    Q3C1GKco707vQRRQ3SlTtWTDf+VJOJd7hHwNq/dHvV17+KMJtDyF13BY1ycetMuLxTZpNFIyBmxkICe/GDTLSOaHUJiyDy5CWD7vb0q91NB4NL2p
    OlKKb3plxcw2yBpn2AnA4psF1FdKWhbcoOCcEUybUIYJTEVkZwMkImcU62uYrpWaIn5TggjBFQ3VzeQ+Y4hhEKfxM/UVLZyyz2ySzIEZucD07VAZ
    ry6ll+ytHHHExT5hksR1/CrFlObi1WVl2schh6EVnyXM0n2mX7YsHksQse0HOPX61pwuz20crLhmQMVHris+GS7OqQmdiokVsRA8KB6+9akhCqST
    gDkms6xuRdXbSmcKoyscW7kj1Iq7cQrcRGNiwB/unBrMNnEdQihg35jIeRixOB2H41fv5zBau6/fPyoPVj0pLJY4IhaqwLxAb/qeabqbt5C28Z/e
    TtsHsO5/KpLWSLDRRZxCdhz9KbqUaPYzF0ViqEqSM4OO1PtEVLaLYoUFAeBjtVS6Rob5rlrf7REygHAyUx7VZs/I+yqbX/VHJHtWd9rmtZL0xwhk
    MuC5bhSfatKyg+zWscW7dtHX1qndWS28U1zDPLE4y/3vlJ9MVfSXNqs0g2/IGYenGTVOCOS/dLm4+WEHdFF/ImtFulUrfjVbr/cSk1IhBbSNwqzq
    WPoOaS7YPfWcYOWDFzjsAKvmqOkcabF/wL/0I1FdPCmpg3v+qWP91uGVz3/GnaXjzLloQRbFh5fpnvipZb8xSsn2W4cjoVTIP40unwyRQuZQFeWQ
    yFQfu57VFp1qv2O3eWMrNGrAZ4IyTUlkkkOmxqUPmKp+UnHPPFQyteXkRt/svkK3DOzg4HsKuyJILcrAVVwAFLDIqotvdzyobuSMRod2yMH5j75r
    QI5qtbQmAzZIPmSlxjtnH+FOu7VbgId7RyRnKuvUetNtbUW5dy7SSPjc7Hk4qeVBLC8bZAcEHHvTYYxFGka5IRQoz7VBJplnLKzvDlmOSdx6/nU8
    cSQRrHGu1F6Cmm1t2l80wxl+u7bzUp4FC8jNB61BPk1BtLHAFW4kCJ708+tKDxSY70Dk0NQOlDUoOBSnkA00cmhqBSNTs8UmMCheaQ9acKaetKeR
    SEYFOXpTe9OpvelPNMaUKwrPht5RHegpzLu2cjng1G+nykQO0Am2xhGjL7cH1zU0ljL/AGckSRKr79xVW4HB7k1e/jFSL0pDyaUGkalzgUmOM1Be
    82Nx/wBcm/kaWz5soP8Armv8qou1wurT/ZkRiUXO84xUmnGT7Vd/aAFnJUkL0xjjFTXlmLxUBkZNpyMcgn3FLp00k0LiUhnikMZYfxY71HpZGLhc
    8id80ulndaMw+68rkfTNUo7aK/ilu55NkhJxg48vHTNaWnzPcWMUsow7Dn396gn41i0/3X/lUmp7zp8/l9dvb07/AKZrPuvsX2GNbTyzPlfL2ffz
    /OtsdOao6UM2rTH70zsxP44qS7tDdeURM0RjbcCBnmq1paTJqMzvNKwAXkjAfjv9Ks3Vml1KjmSRGQEAo2OtQ2Fk1vPO7mTlsKWbO4etS3y3EkBi
    gRGDgqxY4xT7NZ0twtwIwVAC7CTwB3qKVb1LlpLfZIjgDa5I2n2qSytjbwBGYM5JZiOmT6Ui2ir9oDncs7ZIx04qW1hMFskTOX2jG4jHFVjp4kk3
    XE8kyg5CHhfyq5IiyxPG33WBU/Q1STSrdSOZTjplzV/OTULLGkrSBRvYAE/SnERzRGORQytwQe9R29nb2xLQxBSep6mpwaMAdBikIDcMAR7inEAL
    gUi8Cl60nQ0vWmt1p3akpQcikxzmjOTilakFB6UJQeaB1obmjOKXqKYVB60qoBR/FTjTacelNHFL1o6Gl6008HFSD7uKjHFO60g4NHU0h64px6Ug
    4oxQKWmj71K9A4FHagUe9MZsKaqsxL1ZSphS1mWF6bmVkfYSvRkzg/nWgTilA4po606mnrTj0qrexXEsJjgaMBwVffnofSlsIp4YRHO6NtAC7B0F
    RT2cpunnhufKLKARs3dKfawC3Ls0jSyyY3O3fFNlspHkZlvJkVjkqD0+npVi2gjt4RFEMKP1qGfToZZGkJkQv94I2A31qxDGsaLGi7VUYAqvPptp
    LL5jQjceTgkZq0oCqFAwBwAKRkUsHKgsvQ45FKtRJbQJIXSGNW9QoBqXPNGABgDFHSlA4pv8VOPNIeKXNIRgULzQ3WgMDxQelANL2qFpdtV2csaA
    5WrMcoIwafketOHSkxzRnJxQ3ShelBFAoxk0E84pT0po4p3amjg07qaQ8UdaDwKVelIetApG5NOzxSEcUA8UY70A5NBo60NwKF6UGhaCMnNKDyKH
    GKRaCDjpSBlX7xA+pqM3EH3jPGAe5cUq3ELnCTRsR/dcGmtdQiQR7/mIzjBpovrYwmXzfkBwTtP+FBvITIUVizAbjgdqrjWrXA4kyTjG3/69TxXs
    ckkior5Q4JIGP51A2qgxLIkJO59gBbHNK2oskpjkgwQhcYfIOO3SnwXcs8Yk8pUUjjLZNRG+mE86bUxGm4cH0+tMk1OZbWF9kYMnViDtWo5by4Nq
    JAy58wL8hBBH9KlhlkW78m4RASu5SppBfXPkG6WKP7OD0JO4jOKfd6k0Lfu3gxtB2tuLH8uBWjby+dBHLjG9QcelUoLNobvzTMzlh82R1PrV1uTS
    54oxxmkFKRSdTSt0pFNMfJqIA5qZQad0pT0pBxSjk0h4NLSHilXpTT1pwNIRzS54xRjikXrSmkHWlbpikHFB5FMUYOakpp602V9qVUJzzSCg0A4p
    4kIqeOTNTDpTV6048mkPFL2pDxSr0pMc5oz2oIoBzxSnpSJQeaB1pSCexprME+8QPqaRZomJUSoWHUbhmjeo/iX86Tz488sfyNHmoT979DQ06Dpk
    /QU0Tr/dYflTjOmOA2fpUYmYHhB+dO8/1T9aa0r/AMAA+vNNMs5brHjHTaev50GScpgGMN67Tj8s03NxsIM2GPQhRx+FNi+1KwL3G8AcjywM1Bcz
    zS3McEMrhgf3m0YwKtgODkM35mqxtbhiV+2zeWTnbnn86eLTFyZd2Rt27cfrS3Np9oi2btvOQcU2GzaOZpWk3llAPy4pi6aBarCZDlW3K4HQ1NBb
    PGWMkzSMfUYA/Cg2mbtZ933V27cVGNO/0JrfzPvHO7b05z0pwsSLkTLJgFQrLt602PTnjYKtw4iByEA/rU0Fp5Lytu3eY27pjFRDTR9l8kyHIbcr
    gYwaVdPYs7yzGSRkKAlcAA+1T29v5MCR53bRjOMZqM2WZp5N/wDrU24x04pPsLiCOOOdkZBjIGQfqKjOlAwlDKdzOHZguPyHapoLEpcGaWYytt2j
    IxgUz+yztMQuHFuTny9o/nTm03M0jJMyRyjDoAOfxq1awtb26xNJv28A4xxUTzRrcLEW+cjIGO1Tgg96T+KnHpSDigsFHNQNNg8U0S7jU46U4AEU
    hUDtSrQ3WlHSkalXgUnU0A80pGaQnFAxikHWncUwkbqeTxSYxQKMUDk0NQOBS0gpetVbk/NioTRg+lJuA6kCgMrEhSCR1APSlxTo3AbnP5GrYljx
    979DUTXcKyCLJLkZAA7U5Z1zyrfpStMp6BvxFN89s8IP++qUzZH3P1pnmP8AwgD60yS9EGBKyDd04NOlufKQyPhVHU4NAkkYBg5weRwKSG4Myb43
    3DOM7aVnYsFaTBPQZxmmRSB2cRyMShw3J4NSfOerN+dN8odxTSYxMIs/ORkDHapPLo8ul8ujy6Xy6imlhgKiVwpboMdadK0cKhpDgE4HHensAiFm
    4AGSaSLbLGrocq3INOIUMFJAZugz1psLxzpvibcucZxipNlQJc277Nr53kqvynkjrVjZUavG0zRBsuoBIx0qTZS7KNlG2meZH5/k7v3m3djHapNt
    INpZlDAleoB6Uu2l21H5sfn+Tu/ebd2Mdqk20YpcUYqOKWOVnVGyUO1uOhqTFGKMUYpcUUUVkT7472KISuVEfds556mpw7DvUiTHvUolBpJJcDiq
    7OWpvalj+9V1RlRS9KU8ikBxSgZpD1paRuKcAdvSomdE5Z1Ue5xR9pgBwZowcZ5cdKZJPF8p81Pm6YYc1HJdRxJudiB67TTvtMIk8oyASEZxg9Kj
    a+hVkUNu3nAI6Uj3kUaO5yQnULgkfrTpL6JDECrnzASOBUB1clUYWx2O20MXA/SrFxe/ZoDJ5RbGON2P6VHJqDCeGJFU+YM5znFVxqV3mXZDEQjb
    clsY+uTVuW6lW1aXYoYJuwOe1Uoru9keEnARzz8y8/Qdacl7cm88jzxsDH5tg5/2elK8k019LCbho1VQRtwKgguJ3+ykzSfM7AncfmqWASTXE7ST
    SFYnOFzmqgd/MimQSBHfALuCD+GKsRq87Tu1y0PlvtAzgAe4p3mOlxckNvCRBh6dOtRHzIoILgXDu0jAFCcg59qnMUk1/PEJnRQoI2n2qbTS01mj
    uctyM+tVNryG8JuXTymJUBqdA5e7t5JOpgJP61CJpfMimQyiN5MZeQEHn+72qwivcNPI100PluVAzgAe4pLxp3ukhiLMPL3fI4Td75q3YeY9sDMQ
    WBIyGByPqKqfvJxdStcPGYWIVFOAMetMCNcXVm7ySK0iEnBxjA7emavamuNPl+g/mKrIHhuLTbO0gmHzKTx07VH5kv8AZqOJH3mbGcnpUj2u3U4E
    M8zZUtktz9PpTBE7fb3SZ4/LdmAU4yR61pWhMtpE7csygmspWl/s97j7VIHjfAXdx17+tWLiQJfRyvkf6OWOOoqK2lmW9gyZRHLk4kkDZGP0qWPf
    cvcSPdtB5cm0DOFA9xUVxJcy3UqRsxWNQQUkCDp156itO1LtaI8mC+3nBBz+VZm+VrBr37U4kDfcB+Xr0xUs8Jm1K1JeRTIhJCtjbx2qbWRi1jOc
    fvRz6dahcyW91JEtw8itAz/MclTjt6UheV4dPAmdTJkM2eTTpbfGq26GeY/JnJbnj/PNVo1lj0trhJ3Uo/Cjoee/51ur8yg+ozWLZu6rZqrMA0r7
    gD16U+4adJpZGll8tW+VomBVR6FacE8/U5wJ2jBjVsocE8Cmi7nOmQnzCGeXyzJ7etPMrWV20Rnklj8osdxyymo7Wedb23y0ojmycSSBsjHXGOKu
    apK8cMao5j8yQKXHYVBCvk6uVaVpAsPVjkjmq4upvNhnRpvLkkxmSQEEZ5+UDipbdWge/lWSRmizgM2c8dTTbOS786CRmYpIed8ykMPYdqu6rK8c
    Mao5j8yQKXHYVTbda38pWVpWjtyQWOSPrSWcl350EjMxSQ875lIYew7VoamzR6fKyMVYAYIOCORVXdNb3Vqz3EjrMp3qx4GBngVWF1N5sM6NMI5J
    MZkkBDDPPygcVZWWYx3+2bayyYQu3A9hnpS2Mkkd15UzzgsudkpDA+4NQJLPFIsk80uC+N6sHjI9MdqZd3UxaWaBpwqPtyZAFz6bcVcnMsuowxLM
    8avDk7TVb7TOlu0Jmbi48rzT1C1PctJZW0/l3ZlbAwrkFkyetJYNdLdKshbY65IeZXP1FWtQuVtolZmkG5sfJjP61FNbQxqrKmCgCryeBmmUdqch
    obrTadtFRM5RuMVYiunI5Vac07HsB9Kb5sn98/kKUyv/AHv0FIWZursPocUzZ0+eTj/po3+NPBYKF3uQPViahltIJm3SJk4x1IpPsNv5fl+X8uc4
    yetPFvCIvKCDYe1Nis7eIkpEBkYOeaWOyt4n3pEA3rkmpJYY5k2SLlfTNJNawz481A2OlDWkDxCNoxsHQelAtIBCYhGAjdR60428TMjFcmP7vPSo
    /sFrhh5I+bryanMSNHsZQVxjFRR2NtGyskQBU5ByaV7K2kk8x4gW9an2gjBHFQR2NtE5dIgrHvk8fT0p32ODyli8v5VORycg/Wqn2eKfU7hJU3KF
    U/pV0WsI8vCAeV9zB6U6OCOMuUXBc5bnqaiGnWmGHkrhuvJpWsLV3DtCpIqRbeJZGkCfMwwT6imR2FrHL5iQqG9fSpFgjWZpQvzsME560sMEcEYj
    iXao7ZzWfa2sNzcXfnRhtspx2q/9ni8xZNg3Ku0ew9MVF/Z1phh5C4bryaV9PtXcO0Klh9afPaQXAAljDbenbFSRxpEgSNQqjoBUMthazSeZJCC3
    rkjNSm3iMiSbBujGFI7D6UssSTRmORcq3UZxUcVlbQy+bHEFf1oFlb+UIvL+QNuAyetOmtYZ3V5UDMn3TnpQLaELKAnEud/J5zT441ijVEGFUYAr
    M0yzt57YSSxBnVzgn61ovbQySeY6Att2/hUQ060UACEDB3Dk5zTpLC1ll8ySFS/r60TWVtOwaWIMw4z0qdVCqFUAAcADtVc6faGXzTAu7Ofb8ulS
    tDG0ySsuXTIU56ZomgjnULKu4A5Az3qOOxtog/lxBd4w3J6U4WkIEWE/1X3OTxSzWsM7o8sYZk+6cnim/Y4BbmDy/wB0xyVyfrU4AAAHQVAllbps
    2x48tiy/MeCaa+n2skpkeFSxOScnn8KWWwtZmZpIgWbGTk9qf9mhMHkGNfLH8NNisraFWWOJQHGGzzkfjTV060UACEDB3Dk5zU00Mc8ZjlUMp7Go
    4bK3gcPFEFYLtzk9KZ/ZtmAw8hfm68mpEs7dJTKsQDkYJ9qbDY20MnmRxBX9fSpZoY54zHKoZT2NRxWVtC26OIKdu3qelJDY20EvmRwqr+tSyxJN
    GY5BuRuozika3iZomZMmL7nJ4qEabZ4YeQuG68n/ACKkW0gVJEEY2yHLAknNJBZW9sxaGIKx4zkn+dNGn2iy+YIF3Zz3x+XSlNhas7uYVLP1NPS1
    hjdHVMMi7VOTwKT7HAVkUxgrI25gSeT60kVlbQoyJEoV+GB5z+dLb2dvbEtDGFJ6nJNPlhjnULKgcA5ANf/Z
    """
}
