// Asks a security key or a passkey, and sends what it answers with the form.
"use strict";

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const { passkey, party, credentials, member, email, fault: silent } = form.dataset;
  const decoded = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const encoded = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const known = credentials.split(",").filter(Boolean).map((id) => ({ type: "public-key", id: decoded(id) }));
  const challenge = () => decoded(form.dataset.challenge);

  const options = {
    create: () => ({
      challenge: challenge(),
      rp: { id: party, name: "Gatehouse" },
      user: { id: decoded(member), name: email, displayName: email },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      excludeCredentials: known,
      attestation: "none",
      // One that is found without its id and checks its person signs in alone, too.
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    }),
    get: () => ({
      challenge: challenge(), rpId: party, allowCredentials: known, userVerification: "discouraged",
    }),
    alone: () => ({ challenge: challenge(), rpId: party, userVerification: "required" }),
  };
  const ask = (more = {}) =>
    navigator.credentials[passkey === "create" ? "create" : "get"]({ publicKey: options[passkey](), ...more });

  const send = (answer) => {
    const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = answer.response;
    const parts = { credential: answer.rawId, client_data: clientDataJSON };
    if (passkey === "create") parts.attestation = attestationObject;
    else Object.assign(parts, { authenticator_data: authenticatorData, signature });
    if (passkey === "alone") parts.user_handle = userHandle ?? new ArrayBuffer(0);
    for (const [name, buffer] of Object.entries(parts)) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value: encoded(buffer) });
      form.append(input);
    }
    form.submit();
  };

  // The page where staff sign in may stand open for long. Its challenge is good for five minutes; while it is looked at,
  // another one is fetched with the page every four, and for who looks at it again or presses the button, after three.
  const [goodFor, offerEvery, renewAfter] = [5, 4, 3].map((minutes) => minutes * 60 * 1000);
  let asked = Date.now();
  const isOlder = (age) => passkey === "alone" && Date.now() - asked >= age;
  const renew = async () => {
    if (!isOlder(renewAfter)) return;
    // Before it is fetched: the challenge is not older than that.
    const now = Date.now();
    const page = await (await fetch("/console/sign-in", { cache: "no-store" })).text();
    const fresh = new DOMParser().parseFromString(page, "text/html").querySelector("form[data-passkey=alone]");
    if (!fresh) return location.reload();
    form.dataset.challenge = fresh.dataset.challenge;
    for (const name of ["csrf", "ticket"]) form.elements[name].value = fresh.elements[name].value;
    asked = now;
  };

  // What the browser offers in the field of the address (conditional mediation), until the button is pressed.
  let offered = new AbortController();
  let timer;
  const offer = async () => {
    offered.abort();
    offered = new AbortController();
    const { signal } = offered;
    try {
      await renew();
      const answer = await ask({ mediation: "conditional", signal });
      // The machine may have slept meanwhile: then it is asked anew, and no wrong answer is counted.
      if (isOlder(goodFor)) offer();
      else send(answer);
    } catch { /* the reader comes in another way, or it is asked anew */ }
  };
  const offerFromNowOn = async () => {
    if (passkey !== "alone" || !(await window.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
    clearInterval(timer);
    timer = setInterval(() => { if (!document.hidden) offer(); }, offerEvery);
    offer();
  };
  document.addEventListener("visibilitychange", () => {
    if (timer && !document.hidden && isOlder(renewAfter)) offer();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fault = form.querySelector(".fault");
    fault.hidden = true;
    clearInterval(timer);
    timer = undefined;
    offered.abort();
    try {
      await renew();
      send(await ask());
    } catch (error) {
      fault.textContent = `${silent} (${error.name})`;
      fault.hidden = false;
      offerFromNowOn();
    }
  });

  if (window.PublicKeyCredential) form.hidden = false;
  offerFromNowOn();
}
