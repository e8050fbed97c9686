// SPDX-License-Identifier: Apache-2.0

#include "LineModel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

namespace cvision {

namespace {

/// Tesseract numbers the parts of the file in `tessdatamanager.h`: the network, its characters and their codes.
constexpr size_t networkPart = 17, charactersPart = 21, codesPart = 22;
constexpr int partsMax = 64, depthMax = 8, layersMax = 16;
constexpr int64_t partBytesMax = 64 << 20;
constexpr uint32_t sideMax = 4096;
/// Flags of a matrix: whole numbers, doubles; and of a layer: a rate of learning for each part of it.
constexpr uint8_t wholeFlag = 1, doubleFlag = 128;
constexpr int32_t ratesFlag = 64;

/// Reads numbers as Tesseract writes them, little-endian; throws at the end of the bytes.
class Bytes {
 public:
  explicit Bytes(std::string bytes) : bytes(std::move(bytes)) {}

  template <typename Number>
  Number take() {
    Number number;
    need(sizeof number);
    std::memcpy(&number, bytes.data() + at, sizeof number);
    at += sizeof number;
    return number;
  }

  std::string text() {
    const auto count = take<uint32_t>();
    need(count);
    at += count;
    return bytes.substr(at - count, count);
  }

  /// So many numbers.
  template <typename Number>
  std::vector<Number> list(size_t count) {
    if (count > bytes.size() / sizeof(Number)) throw OtherModel("it is cut off");
    need(count * sizeof(Number));
    std::vector<Number> numbers(count);
    if (count > 0) std::memcpy(numbers.data(), bytes.data() + at, count * sizeof(Number));
    at += count * sizeof(Number);
    return numbers;
  }

 private:
  std::string bytes;
  size_t at = 0;

  void need(size_t count) const {
    if (count > bytes.size() - at) throw OtherModel("it is cut off");
  }
};

[[noreturn]] void other(const std::string &what) { throw OtherModel("another shape: " + what); }

/// More columns than this could let a sum of products, of a weight of one byte with an activation each, pass 2³¹.
constexpr uint32_t columnsMax = 2'000'000'000 / (128 * activationOne);

/// Rows of weights, the last of each its bias, and the unit of each row.
struct Weights {
  int rows = 0, inputs = 0;
  std::vector<int16_t> numbers;
  std::vector<float> scales;
};

/// Neither infinite nor not a number, and within what a float holds.
bool areNumbers(const std::vector<double> &numbers) {
  constexpr double most = 1e6;
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::abs(number) < most; });
}

Weights weights(Bytes &from) {
  const auto mode = from.take<uint8_t>();
  if (!(mode & doubleFlag)) other("weights of an old format");
  const auto rows = from.take<uint32_t>(), columns = from.take<uint32_t>();
  if (rows < 1 || columns < 2 || rows > sideMax || columns > sideMax) other("sides of a matrix");
  Weights out;
  out.rows = int(rows);
  out.inputs = int(columns) - 1;
  const size_t count = size_t(rows) * columns;
  if (mode & wholeFlag) {
    from.take<int8_t>();
    if (columns > columnsMax) other("columns of a matrix");
    const auto numbers = from.list<int8_t>(count);
    out.numbers.assign(numbers.begin(), numbers.end());
    const auto scales = from.list<double>(from.take<uint32_t>());
    if (scales.size() < rows || !areNumbers(scales)) other("scales of a matrix");
    out.scales.assign(scales.begin(), scales.begin() + long(rows));
    return out;
  }
  // As large as a sum of products with activations allows.
  const double most = std::floor(std::min(1023.0, 2'000'000'000.0 / activationOne / columns));
  from.take<double>();
  const auto numbers = from.list<double>(count);
  if (!areNumbers(numbers)) other("weights of a matrix");
  for (size_t row = 0; row < rows; row++) {
    const double *first = numbers.data() + row * columns;
    double high = 1e-9;
    for (size_t i = 0; i < columns; i++) high = std::max(high, std::abs(first[i]));
    out.scales.push_back(float(high / most));
    for (size_t i = 0; i < columns; i++) out.numbers.push_back(int16_t(std::lround(first[i] * most / high)));
  }
  return out;
}

Matrix matrix(const Weights &from) { return Matrix(from.rows, from.inputs, from.numbers, from.scales); }

/// The four matrices of a memory as one, gate after gate.
Matrix memory(Bytes &from, int inputs) {
  if (from.take<int32_t>() <= inputs) other("inputs of a memory");
  Weights all = weights(from);
  for (int gate = 1; gate < 4; gate++) {
    const Weights next = weights(from);
    if (next.inputs != all.inputs || next.rows * gate != all.rows) other("gates of a memory");
    all.numbers.insert(all.numbers.end(), next.numbers.begin(), next.numbers.end());
    all.scales.insert(all.scales.end(), next.scales.begin(), next.scales.end());
    all.rows += next.rows;
  }
  if (all.inputs != inputs + all.rows / 4 || all.rows % 64 != 0) other("width of a memory");
  return matrix(all);
}

struct Around {
  bool reversed = false, turned = false;
};

/// Reads a layer and those inside it.
void layer(Bytes &from, LineModel &model, Around around, int depth) {
  if (depth > depthMax || model.layers.size() > layersMax) other("depth");
  if (from.take<int8_t>() != 0) other("a layer without a name");
  const std::string type = from.text();
  from.take<int8_t>();
  from.take<int8_t>();
  const auto flags = from.take<int32_t>(), inputs = from.take<int32_t>();
  from.take<int32_t>();
  from.take<int32_t>();
  from.text();
  auto &layers = model.layers;
  if (type == "Series" || type == "RTLReversed" || type == "XYTranspose") {
    if (type == "RTLReversed") around.reversed = true;
    if (type == "XYTranspose") around.turned = true;
    const auto count = from.take<uint32_t>();
    if (count > layersMax) other("too many layers");
    for (uint32_t i = 0; i < count; i++) layer(from, model, around, depth + 1);
    if (flags & ratesFlag) from.list<float>(from.take<uint32_t>());
  } else if (type == "Input") {
    const auto shape = from.list<int32_t>(5);
    if (shape[1] < 16 || shape[1] > 128 || shape[3] != 1) other("input");
    model.height = shape[1];
  } else if (type == "Convolve") {
    if (from.take<int32_t>() != 1 || from.take<int32_t>() != 1 || inputs != 1 || !layers.empty()) other("window");
    layers.push_back({Layer::convolved, Matrix(), {}, 1});
  } else if (type == "Tanh") {
    const Weights read = weights(from);
    if (layers.size() != 1 || !layers[0].weights.empty() || read.inputs != 9 || read.rows % 8 != 0) other("window");
    for (int input = 0; input <= 9; input++)
      for (int row = 0; row < read.rows; row++)
        layers[0].weights.push_back(float(read.numbers[size_t(row * 10 + input)]) * read.scales[size_t(row)]);
  } else if (type == "Maxpool") {
    const auto across = from.take<int32_t>(), down = from.take<int32_t>();
    if (layers.size() != 1 || layers[0].weights.empty() || across != down || across < 2 || across > 4) other("pool");
    layers[0].pool = across;
  } else if (type == "SummLSTM") {
    if (layers.size() != 1 || layers[0].pool < 2 || !around.turned || around.reversed) other("columns");
    layers.push_back({Layer::columns, memory(from, inputs), {}, 1});
  } else if (type == "LSTM") {
    if (layers.size() < 2 || around.turned) other("lines");
    layers.push_back({around.reversed ? Layer::backward : Layer::forward, memory(from, inputs), {}, 1});
  } else if (type == "Softmax") {
    if (layers.size() < 3) other("codes");
    layers.push_back({Layer::likelihoods, matrix(weights(from)), {}, 1});
  } else {
    other(type);
  }
}

/// Each layer takes what the last one gives.
void check(const LineModel &model) {
  const auto &layers = model.layers;
  if (model.height < 1) other("input");
  if (layers.size() < 4 || layers.back().kind != Layer::likelihoods) other("layers");
  int width = int(layers[0].weights.size()) / 10;
  for (size_t i = 1; i < layers.size(); i++) {
    const bool isMemory = layers[i].kind != Layer::likelihoods;
    const int own = isMemory ? layers[i].matrix.rows / 4 : 0;
    if (layers[i].matrix.inputs != width + own || (!isMemory && i + 1 < layers.size())) other("widths of layers");
    width = isMemory ? own : layers[i].matrix.rows;
  }
  if (model.none < 0 || model.none >= width) other("code of no character");
}

/// Characters in the order of their numbers; the space is written `NULL`.
std::vector<std::string> alphabet(const std::string &bytes) {
  std::istringstream lines(bytes);
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> out;
  while (std::getline(lines, line) && out.size() < sideMax) out.push_back(line.substr(0, line.find(' ')));
  if (out.empty() || out[0] != "NULL") other("characters");
  out[0] = " ";
  // What the file keeps for itself: joined and broken characters.
  for (size_t i = 1; i < std::min<size_t>(3, out.size()); i++) out[i].clear();
  return out;
}

}  // namespace

std::unique_ptr<LineModel> LineModel::load(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  int32_t count = 0;
  if (!file.is_open()) return nullptr;
  if (!file.read(reinterpret_cast<char *>(&count), 4)) throw OtherModel("it is cut off");
  if (count <= int32_t(codesPart) || count > partsMax) throw OtherModel("it has no network");
  std::vector<int64_t> offsets(size_t(count), 0);
  if (!file.read(reinterpret_cast<char *>(offsets.data()), count * 8)) throw OtherModel("it is cut off");
  file.seekg(0, std::ios::end);
  const int64_t end = file.tellg();
  const auto part = [&](size_t number) {
    const int64_t from = offsets[number];
    int64_t to = end;
    for (int64_t next : offsets) if (next > from) to = std::min(to, next);
    if (from < 4 || from >= to || to - from > partBytesMax) throw OtherModel("a part of it is missing");
    std::string bytes(size_t(to - from), '\0');
    file.seekg(from);
    if (!file.read(bytes.data(), to - from)) throw OtherModel("it is cut off");
    return bytes;
  };
  auto model = std::make_unique<LineModel>();
  Bytes network(part(networkPart));
  layer(network, *model, {}, 0);
  network.text();
  network.list<int32_t>(3);
  model->none = network.take<int32_t>();
  check(*model);
  const auto letters = alphabet(part(charactersPart));
  Bytes codes(part(codesPart));
  const auto known = codes.take<uint32_t>();
  model->characters.resize(size_t(model->layers.back().matrix.rows));
  for (uint32_t i = 0; i < known && i < letters.size(); i++) {
    codes.take<int8_t>();
    const auto code = codes.list<int32_t>(codes.take<uint32_t>());
    // A character of several codes is left out: the model of Latin script has one, of no document.
    if (code.size() == 1 && code[0] >= 0 && code[0] < int(model->characters.size()) && code[0] != model->none)
      model->characters[size_t(code[0])] = letters[i];
  }
  if (model->characters[0] != " ") other("code of the space");
  return model;
}

}  // namespace cvision
