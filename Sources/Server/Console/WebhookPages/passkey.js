// Asks a security key, and sends what it answers with the form.
"use strict";

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const { passkey, challenge, party, credentials, member, email, fault: silent } = form.dataset;
  const decoded = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const encoded = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const known = credentials.split(",").filter(Boolean).map((id) => ({ type: "public-key", id: decoded(id) }));

  const options = {
    create: () => ({
      challenge: decoded(challenge),
      rp: { id: party, name: "Gatehouse" },
      user: { id: decoded(member), name: email, displayName: email },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      excludeCredentials: known,
      attestation: "none",
      authenticatorSelection: { residentKey: "discouraged", userVerification: "discouraged" },
    }),
    get: () => ({
      challenge: decoded(challenge), rpId: party, allowCredentials: known, userVerification: "discouraged",
    }),
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fault = form.querySelector(".fault");
    fault.hidden = true;
    try {
      const answer = await navigator.credentials[passkey]({ publicKey: options[passkey]() });
      const { clientDataJSON, attestationObject, authenticatorData, signature } = answer.response;
      const parts = { credential: answer.rawId, client_data: clientDataJSON };
      if (passkey === "create") parts.attestation = attestationObject;
      else Object.assign(parts, { authenticator_data: authenticatorData, signature });
      for (const [name, buffer] of Object.entries(parts)) {
        const input = document.createElement("input");
        Object.assign(input, { type: "hidden", name, value: encoded(buffer) });
        form.append(input);
      }
      form.submit();
    } catch (error) {
      fault.textContent = `${silent} (${error.name})`;
      fault.hidden = false;
    }
  });
}
