import PowerAuth2
import Testing

/// The sample of the seed (wultra-digital-onboarding.txt, "When is the verification needed?"), as far as it is of
/// PowerAuth alone.
@Suite("PowerAuth client: the seed's sample")
struct SeedTests {}
