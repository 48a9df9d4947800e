/**
 * Code that runs first in a new sandbox: it defines the helpers, then freezes everything, so that
 * no evaluation affects the next one. The code runs in the sandbox, so it is a string here.
 *
 * - Strings cannot be executed as code: eval and all function constructors are removed.
 * - Features that wait, outlive the evaluation or observe the engine's memory are removed.
 * - Base64 encodes the string's UTF-8 form. Source: specification, "Expression helpers".
 */
export const sandboxPrelude = String.raw`(function () {
  'use strict';
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const utf8 = (text) => {
    const bytes = [];
    for (const letter of String(text)) {
      let code = letter.codePointAt(0);
      if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
      if (code < 0x80) bytes.push(code);
      else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
      else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
      else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
    return bytes;
  };
  const fromUtf8 = (bytes) => {
    let text = '';
    for (let at = 0; at < bytes.length; ) {
      const first = bytes[at++];
      const more = first < 0x80 ? 0 : first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : -1;
      let code = more === 0 ? first : more < 0 ? -1 : first & (0x3f >> more);
      for (let left = more; left > 0 && code >= 0; left--) {
        const next = bytes[at];
        if (next === undefined || (next & 0xc0) !== 0x80) code = -1;
        else { code = (code << 6) | (next & 63); at++; }
      }
      const overlong = (more === 2 && code < 0x800) || (more === 3 && code < 0x10000);
      const wrong = code < 0 || overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
      text += wrong ? '\ufffd' : String.fromCodePoint(code);
    }
    return text;
  };
  const btoa = (text) => {
    const bytes = utf8(text);
    let encoded = '';
    for (let at = 0; at < bytes.length; at += 3) {
      const [a, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]];
      encoded += letters[a >> 2] + letters[((a & 3) << 4) | ((b || 0) >> 4)];
      encoded += b === undefined ? '==' : letters[((b & 15) << 2) | ((c || 0) >> 6)] + (c === undefined ? '=' : letters[c & 63]);
    }
    return encoded;
  };
  const atob = (encoded) => {
    const text = String(encoded).replace(/[\t\n\f\r ]/g, '').replace(/={1,2}$/, '');
    if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw new TypeError('atob: the text is not base64');
    const bytes = [];
    let bits = 0, held = 0;
    for (const letter of text) {
      held = ((held << 6) | letters.indexOf(letter)) & 0xffffff;
      bits += 6;
      if (bits >= 8) bytes.push((held >> (bits -= 8)) & 255);
    }
    return fromUtf8(bytes);
  };
  const host = globalThis.__virtualToHostDNS;
  const virtualToHostDNS = (name) => host(String(name));
  delete globalThis.__virtualToHostDNS;
  Object.assign(globalThis, { atob, btoa, virtualToHostDNS });

  const call = Function.prototype.call.bind(Function.prototype.call);
  const refused = function () { throw new TypeError('code cannot be created from strings'); };
  const asyncOf = async function () {}, generator = function* () {}, asyncGenerator = async function* () {};
  for (const made of [function () {}, asyncOf, generator, asyncGenerator]) {
    Object.defineProperty(Object.getPrototypeOf(made), 'constructor', { value: refused });
  }
  for (const name of ['eval', 'Function', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry',
    'Promise', 'queueMicrotask', 'performance', 'gc', 'std', 'os', 'scriptArgs', 'print', 'console', 'navigator']) {
    delete globalThis[name];
  }

  const parse = JSON.parse, stringify = JSON.stringify, toText = Object.prototype.toString, finite = Number.isFinite;
  const freezeAll = (contextJson) => {
    const freeze = (value) => {
      if (typeof value !== 'object' || value === null) return value;
      for (const key of Object.keys(value)) freeze(value[key]);
      return Object.freeze(value);
    };
    return freeze(parse(contextJson));
  };
  const seen = new Set();
  const harden = (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    Object.freeze(value);
    harden(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const { value: held, get, set } = Object.getOwnPropertyDescriptor(value, key);
      harden(held); harden(get); harden(set);
    }
  };
  const hidden = [asyncOf, generator, asyncGenerator, generator(), asyncGenerator(), [][Symbol.iterator](), new Map().entries(),
    new Set().values(), ''[Symbol.iterator](), ''.matchAll(/a/g), new Uint8Array(), (function () { return arguments; })(), /a/,
    asyncGenerator.prototype];
  harden(globalThis);
  for (const value of hidden) harden(value);

  return Object.freeze({
    context: (json) => freezeAll(json),
    run: (expression, valueJson, context) => {
      const result = call(expression, undefined, valueJson === undefined ? undefined : parse(valueJson), context);
      if (result === undefined || result === null) return 'null';
      const type = typeof result;
      if (type === 'function' || type === 'symbol' || type === 'bigint') throw new TypeError('the result is a ' + type);
      if (type === 'number' && !finite(result)) throw new TypeError('the result is ' + result);
      if (type === 'object' && call(toText, result) === '[object Promise]') throw new TypeError('the result is a promise');
      const json = stringify(result);
      if (typeof json !== 'string') throw new TypeError('the result has no JSON form');
      return json;
    },
  });
})()`
