// SPDX-License-Identifier: Apache-2.0

#include "Guard.hpp"

#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <opencv2/objdetect/face.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

using namespace cvision;

struct cvision_cascade {
  std::mutex lock;
  cv::CascadeClassifier face, eye;
};

struct cvision_detector {
  std::mutex lock;
  cv::Ptr<cv::FaceDetectorYN> net;
  int side;
};

struct cvision_recogniser {
  std::mutex lock;
  cv::Ptr<cv::FaceRecognizerSF> net;
};

struct cvision_classifier {
  std::mutex lock;
  cv::dnn::Net net;
  int side;
};

// MARK: Haar cascades

cvision_status cvision_cascade_load(const char *face_path, const char *eye_path, cvision_cascade **out) {
  return guarded([&] {
    auto cascade = std::make_unique<cvision_cascade>();
    if (!cascade->face.load(face_path)) return refuse(CVISION_NO_MODEL, "face cascade cannot be read");
    if (eye_path && !cascade->eye.load(eye_path)) return refuse(CVISION_NO_MODEL, "eye cascade cannot be read");
    *out = cascade.release();
    return CVISION_OK;
  });
}

void cvision_cascade_free(cvision_cascade *cascade) { delete cascade; }

namespace {

/// Two eyes in the upper half of the face, side by side.
void seekEyes(cv::CascadeClassifier &eye, const cv::Mat &grey, cvision_face &face) {
  const cvision_box &box = face.box;
  cv::Rect upper = clipped({box.x, box.y + box.height * 0.15f, box.width, box.height * 0.45f}, grey.size());
  if (eye.empty() || upper.area() == 0) return;
  std::vector<cv::Rect> eyes;
  int least = std::max(8, int(box.width * 0.12f));
  eye.detectMultiScale(grey(upper), eyes, 1.08, 3, 0, cv::Size(least, least));
  double bestScore = 1e9;
  for (size_t i = 0; i < eyes.size(); i++) {
    for (size_t j = 0; j < eyes.size(); j++) {
      cv::Point2f a(eyes[i].x + eyes[i].width / 2.0f, eyes[i].y + eyes[i].height / 2.0f);
      cv::Point2f b(eyes[j].x + eyes[j].width / 2.0f, eyes[j].y + eyes[j].height / 2.0f);
      float apart = b.x - a.x;
      if (apart < box.width * 0.25f || apart > box.width * 0.65f || std::abs(a.y - b.y) > apart * 0.3f) continue;
      double score = std::abs(apart - box.width * 0.42) + std::abs(a.y - b.y);
      if (score >= bestScore) continue;
      bestScore = score;
      face.has_eyes = 1;
      face.eye_x[0] = upper.x + a.x, face.eye_y[0] = upper.y + a.y;
      face.eye_x[1] = upper.x + b.x, face.eye_y[1] = upper.y + b.y;
    }
  }
}

}  // namespace

cvision_status cvision_cascade_detect(cvision_cascade *cascade, const cvision_frame *source, cvision_faces *out) {
  return cvision_cascade_seek(cascade, source, {0, 1}, out);
}

cvision_status cvision_cascade_seek(
  cvision_cascade *cascade, const cvision_frame *source, cvision_face_search search, cvision_faces *out) {
  return guarded([&] {
    *out = {};
    cv::Mat grey, small;
    cv::cvtColor(source->bgr, grey, cv::COLOR_BGR2GRAY);
    double scale = std::min(1.0, 640.0 / std::max(grey.cols, grey.rows));
    cv::resize(grey, small, cv::Size(), scale, scale, cv::INTER_AREA);
    cv::equalizeHist(small, small);
    const int least = std::max({24, std::min(small.cols, small.rows) / 12, int(small.cols * search.least)});
    const int most = search.most < 1 ? int(small.cols * search.most) : std::max(small.cols, small.rows);
    std::lock_guard<std::mutex> held(cascade->lock);
    std::vector<cv::Rect> boxes;
    std::vector<int> levels;
    std::vector<double> weights;
    cascade->face.detectMultiScale(
      small, boxes, levels, weights, 1.1, 4, 0, cv::Size(least, least), cv::Size(most, most), true);
    for (size_t i = 0; i < boxes.size() && out->count < CVISION_FACES_MAX; i++) {
      cvision_face &face = out->faces[out->count++];
      face.box = {float(boxes[i].x), float(boxes[i].y), float(boxes[i].width), float(boxes[i].height)};
      face.score = float(weights[i]);
      seekEyes(cascade->eye, small, face);
      float back = float(1 / scale);
      face.box = {face.box.x * back, face.box.y * back, face.box.width * back, face.box.height * back};
      for (int e = 0; e < 2; e++) face.eye_x[e] *= back, face.eye_y[e] *= back;
    }
    return CVISION_OK;
  });
}

// MARK: YuNet

cvision_status cvision_detector_load(const char *path, int side, float score_min, cvision_detector **out) {
  return guarded([&] {
    auto detector = std::make_unique<cvision_detector>();
    detector->side = side;
    detector->net = cv::FaceDetectorYN::create(path, "", cv::Size(side, side), score_min);
    if (!detector->net) return refuse(CVISION_NO_MODEL, "detector cannot be read");
    // A trial run: a net of another shape must fail here, not on the first customer.
    cv::Mat blank(side, side, CV_8UC3, cv::Scalar::all(127)), found;
    detector->net->detect(blank, found);
    *out = detector.release();
    return CVISION_OK;
  });
}

void cvision_detector_free(cvision_detector *detector) { delete detector; }

cvision_status cvision_detector_detect(cvision_detector *detector, const cvision_frame *source, cvision_faces *out) {
  return guarded([&] {
    *out = {};
    // Letterboxed to the square that the net was tried with.
    double scale = double(detector->side) / std::max(source->bgr.cols, source->bgr.rows);
    cv::Mat small, square(detector->side, detector->side, CV_8UC3, cv::Scalar::all(0)), found;
    cv::resize(source->bgr, small, cv::Size(), scale, scale, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
    cv::Rect part = cv::Rect(cv::Point(), small.size()) & cv::Rect(cv::Point(), square.size());
    small(part).copyTo(square(part));
    {
      std::lock_guard<std::mutex> held(detector->lock);
      detector->net->detect(square, found);
    }
    for (int i = 0; i < found.rows && out->count < CVISION_FACES_MAX; i++) {
      const float *row = found.ptr<float>(i);
      cvision_face &face = out->faces[out->count++];
      for (int n = 0; n < 14; n++) face.row[n] = float(row[n] / scale);
      face.row[14] = row[14];
      face.box = {face.row[0], face.row[1], face.row[2], face.row[3]};
      face.score = row[14];
      face.has_eyes = 1;
      for (int e = 0; e < 2; e++) face.eye_x[e] = face.row[4 + 2 * e], face.eye_y[e] = face.row[5 + 2 * e];
    }
    return CVISION_OK;
  });
}

// MARK: SFace

cvision_status cvision_recogniser_load(const char *path, cvision_recogniser **out) {
  return guarded([&] {
    auto recogniser = std::make_unique<cvision_recogniser>();
    recogniser->net = cv::FaceRecognizerSF::create(path, "");
    if (!recogniser->net) return refuse(CVISION_NO_MODEL, "recogniser cannot be read");
    cv::Mat blank(112, 112, CV_8UC3, cv::Scalar::all(127)), feature;
    recogniser->net->feature(blank, feature);
    if (feature.total() < 2 || feature.type() != CV_32F)
      return refuse(CVISION_NO_MODEL, "recogniser answers no feature vector");
    *out = recogniser.release();
    return CVISION_OK;
  });
}

void cvision_recogniser_free(cvision_recogniser *recogniser) { delete recogniser; }

cvision_status cvision_recogniser_compare(
  cvision_recogniser *recogniser, const cvision_frame *a, const cvision_face *face_a, const cvision_frame *b,
  const cvision_face *face_b, float *cosine) {
  return guarded([&] {
    std::lock_guard<std::mutex> held(recogniser->lock);
    auto embed = [&](const cvision_frame *source, const cvision_face *face) {
      cv::Mat row(1, 15, CV_32F, const_cast<float *>(face->row)), aligned, feature;
      recogniser->net->alignCrop(source->bgr, row, aligned);
      recogniser->net->feature(aligned, feature);
      return feature.clone();
    };
    cv::Mat left = embed(a, face_a), right = embed(b, face_b);
    double lengths = cv::norm(left) * cv::norm(right), dot = left.dot(right);
    if (!(lengths > 0) || !std::isfinite(dot)) return refuse(CVISION_FAILED, "feature vector without length");
    *cosine = float(std::clamp(dot / lengths, -1.0, 1.0));
    return CVISION_OK;
  });
}

// MARK: classifier

namespace {

std::vector<float> softmax(const cv::Mat &scores) {
  std::vector<float> values(scores.begin<float>(), scores.end<float>());
  float highest = *std::max_element(values.begin(), values.end()), sum = 0;
  for (float &value : values) sum += (value = std::exp(value - highest));
  for (float &value : values) value /= sum;
  return values;
}

cv::Mat classify(cvision_classifier &classifier, const cv::Mat &face) {
  cv::Mat input = cv::dnn::blobFromImage(face, 1, cv::Size(classifier.side, classifier.side));
  classifier.net.setInput(input);
  return classifier.net.forward().reshape(1, 1).clone();
}

}  // namespace

cvision_status cvision_classifier_load(const char *path, int side, cvision_classifier **out) {
  return guarded([&] {
    auto classifier = std::make_unique<cvision_classifier>();
    classifier->side = side;
    classifier->net = cv::dnn::readNetFromONNX(path);
    if (classifier->net.empty()) return refuse(CVISION_NO_MODEL, "classifier cannot be read");
    cv::Mat blank(side, side, CV_8UC3, cv::Scalar::all(127));
    cv::Mat scores = classify(*classifier, blank);
    if (scores.total() < 2 || scores.type() != CV_32F)
      return refuse(CVISION_NO_MODEL, "classifier answers no class scores");
    *out = classifier.release();
    return CVISION_OK;
  });
}

void cvision_classifier_free(cvision_classifier *classifier) { delete classifier; }

cvision_status cvision_classifier_score(
  cvision_classifier *classifier, const cvision_frame *source, cvision_box box, float margin, int wanted,
  float *score) {
  return guarded([&] {
    float side = std::max(box.width, box.height) * margin;
    cv::Rect part = clipped(
      {box.x + box.width / 2 - side / 2, box.y + box.height / 2 - side / 2, side, side}, source->bgr.size());
    if (part.area() == 0) return refuse(CVISION_BAD_INPUT, "face outside of the frame");
    std::lock_guard<std::mutex> held(classifier->lock);
    std::vector<float> shares = softmax(classify(*classifier, source->bgr(part)));
    if (wanted < 0 || size_t(wanted) >= shares.size() || !std::isfinite(shares[size_t(wanted)]))
      return refuse(CVISION_FAILED, "classifier has no such class");
    *score = shares[size_t(wanted)];
    return CVISION_OK;
  });
}
