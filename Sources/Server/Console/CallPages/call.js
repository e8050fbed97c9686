// Holds a call: the pictures and voices go from browser to browser; the server only passes notes between them.
"use strict";

const hold = (place) => {
  const base = place.dataset.base;
  const isAgent = place.dataset.side === "agent";
  const part = (name) => place.querySelector(`[data-${name}]`);
  const [far, near, line] = [part("far"), part("near"), part("say")];
  let [seat, way, stream, peer, events, use] = [0, {}, null, null, null, 0];
  // Candidates that came before the description that they belong to.
  let early = [];

  // The words stand in the page, in its language.
  const say = (name) => {
    place.dataset.state = name;
    line.textContent = line.dataset[name] ?? "";
  };

  const told = (fields) => JSON.stringify({ ...(isAgent ? { csrf: place.dataset.csrf } : {}), ...fields });

  const post = (path, fields) =>
    fetch(`${base}/${path}`, {
      method: "POST",
      credentials: "same-origin",
      // Where the session of staff is over, the answer leads to the page of signing in, which is no success.
      redirect: "manual",
      headers: { "content-type": "application/json" },
      body: told(fields),
    });

  const signal = (kind, body) => post("signals", { seat, kind, body: JSON.stringify(body) });

  function shut() {
    if (peer) peer.close();
    [peer, early, far.srcObject] = [null, [], null];
  }

  function stop(why) {
    shut();
    if (events) events.close();
    clearInterval(use);
    for (const track of stream ? stream.getTracks() : []) track.stop();
    [stream, near.srcObject] = [null, null];
    for (const button of place.querySelectorAll("[data-during]")) button.hidden = true;
    for (const name of ["mute", "cover"]) part(name).setAttribute("aria-pressed", "false");
    part("join").hidden = false;
    say(why);
  }

  // Each greeting of the customer's page begins anew, so that neither side keeps a connection to a page that is gone.
  function begin() {
    shut();
    const made = (peer = new RTCPeerConnection(way));
    for (const track of stream.getTracks()) made.addTrack(track, stream);
    made.ontrack = (event) => {
      if (made === peer) far.srcObject = event.streams[0];
    };
    made.onicecandidate = (event) => {
      if (made === peer && event.candidate) signal("candidate", event.candidate);
    };
    made.onconnectionstatechange = () => {
      if (made !== peer) return;
      if (made.connectionState === "connected") {
        say("connected");
        // The agent may have waited for most of the time after which a session ends.
        renew();
        // Now the call has begun, as soon as the other side tells the same.
        post("connected", { seat }).then((answer) => (place.dataset.told = String(answer.ok))).catch(() => {});
      }
      if (made.connectionState === "disconnected") say("interrupted");
      if (made.connectionState === "failed") {
        say("failed");
        if (isAgent) offer();
      }
    };
    say("connecting");
    return made;
  }

  async function offer() {
    const made = begin();
    await made.setLocalDescription(await made.createOffer());
    if (made === peer) await signal("offer", made.localDescription);
  }

  async function describe(description) {
    await peer.setRemoteDescription(description);
    const waiting = early;
    early = [];
    for (const candidate of waiting) await peer.addIceCandidate(candidate).catch(() => {});
  }

  async function hear(kind, body) {
    if (kind === "offer" && !isAgent) {
      const made = begin();
      await describe(body);
      await made.setLocalDescription(await made.createAnswer());
      if (made === peer) await signal("answer", made.localDescription);
    } else if (kind === "answer" && isAgent && peer && peer.signalingState === "have-local-offer") {
      await describe(body);
    } else if (kind === "candidate" && peer) {
      // One of a connection that is gone is refused, which changes nothing.
      if (peer.remoteDescription) await peer.addIceCandidate(body).catch(() => {});
      else early.push(body);
    }
  }

  async function join() {
    // Where the call is recorded, the customer agrees before they join.
    const agree = place.querySelector("input[data-agree]");
    if (agree && !agree.checked) {
      agree.focus();
      return say("agree");
    }
    part("join").hidden = true;
    say("asking");
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: true,
        video: { width: { ideal: 1280 }, height: { ideal: 720 } },
      });
    } catch {
      return stop("camera");
    }
    near.srcObject = stream;
    const answer = await post("join", agree ? { recording: true } : {}).catch(() => undefined);
    if (!answer || !answer.ok) return stop(answer && answer.status === 409 ? "early" : "failed");
    noteUse();
    if (isAgent) use = setInterval(renew, 240_000);
    const joined = await answer.json();
    seat = joined.seat;
    way = { iceServers: joined.ice_servers, iceTransportPolicy: joined.ice_transport_policy };
    for (const button of place.querySelectorAll("[data-during]")) button.hidden = false;
    say("waiting");
    // One after the other, also where one takes its time.
    let turn = Promise.resolve();
    const then = (work) => (turn = turn.then(work).catch(() => say("failed")));
    events = new EventSource(`${base}/events?seat=${seat}&after=${joined.position}`);
    events.addEventListener("joined", () => isAgent && then(offer));
    events.addEventListener("signal", (event) => {
      const { kind, body } = JSON.parse(event.data);
      then(() => hear(kind, JSON.parse(body)));
    });
    events.addEventListener("left", () => {
      shut();
      say("waiting");
    });
    // A line that broke is taken up again by itself; an answer that refuses is not.
    events.addEventListener("error", () => events.readyState === EventSource.CLOSED && stream && stop("failed"));
    events.addEventListener("ended", () => stop("ended"));
    events.addEventListener("replaced", () => stop("replaced"));
    if (isAgent && joined.is_other_there) then(offer);
  }

  // A track that is off sends black or silence, and the light of the camera goes out where the system has it so.
  function toggle(button, kind) {
    for (const track of stream.getTracks().filter((track) => track.kind === kind)) {
      track.enabled = !track.enabled;
      button.setAttribute("aria-pressed", String(!track.enabled));
    }
  }

  async function snapshot(button) {
    if (!far.videoWidth) return;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [far.videoWidth, far.videoHeight];
    canvas.getContext("2d").drawImage(far, 0, 0);
    const picture = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
    const form = new FormData();
    form.append("csrf", place.dataset.csrf);
    form.append("photo", picture, "snapshot.jpg");
    button.disabled = true;
    const answer = await fetch(`${base}/snapshot`, {
      method: "POST",
      credentials: "same-origin",
      redirect: "manual",
      body: form,
    }).catch(() => undefined);
    button.disabled = false;
    part("taken").textContent = part("taken").dataset[answer && answer.status === 204 ? "kept" : "refused"];
  }

  // A session of staff lasts as long as it is used, and a call is use: for this page and the other tabs (idle.js). While
  // the other side is not there, the agent is warned and asked to stay, as on every other page.
  function noteUse() {
    if (isAgent) document.dispatchEvent(new Event("gatehouse-used"));
  }
  const renew = async () => {
    if (!isAgent || !peer || peer.connectionState !== "connected") return;
    const answer = await fetch("/console/session", { credentials: "same-origin", redirect: "manual" })
      .catch(() => undefined);
    if (answer && answer.ok) noteUse();
  };

  part("join").addEventListener("click", join);
  part("mute").addEventListener("click", (event) => toggle(event.currentTarget, "audio"));
  part("cover").addEventListener("click", (event) => toggle(event.currentTarget, "video"));
  part("leave").addEventListener("click", async () => {
    // An agent ends the call for both, a customer leaves and may come back.
    await (isAgent ? post("end", {}) : post("leave", { seat })).catch(() => undefined);
    stop("ended");
  });
  if (part("snapshot")) part("snapshot").addEventListener("click", (event) => snapshot(event.currentTarget));
  addEventListener("pagehide", () => {
    if (stream && seat) navigator.sendBeacon(`${base}/leave`, new Blob([told({ seat })], { type: "application/json" }));
  });
};

// A page of a call that cannot be joined now has no place for it.
{
  const place = document.getElementById("call");
  if (place) hold(place);
}

// A verdict is sent from the page: one that is refused ends no call. Without this script the form goes by itself.
for (const form of document.querySelectorAll("form[data-verdict]")) {
  const fault = document.querySelector("[data-fault]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    if (event.submitter) body.set(event.submitter.name, event.submitter.value);
    fault.hidden = true;
    const answer = await fetch(form.action, { method: "POST", credentials: "same-origin", body })
      .catch(() => undefined);
    if (answer && answer.redirected && new URL(answer.url).pathname === "/console/calls") {
      return location.assign(answer.url);
    }
    // Where the session is over, the answer is the page of signing in: what was filled in stays, and can be sent again.
    const html = answer && !answer.redirected ? await answer.text() : "";
    const page = new DOMParser().parseFromString(html, "text/html");
    const words = page.querySelector("[data-fault]") ?? page.querySelector("main p");
    fault.textContent = words?.textContent.trim() || fault.dataset.unsent;
    fault.hidden = false;
    fault.scrollIntoView({ block: "nearest" });
  });
}
