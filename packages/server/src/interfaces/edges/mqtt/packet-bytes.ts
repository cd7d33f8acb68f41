import { malformed } from './violation.ts';

// Refuses what is not UTF-8, code points of surrogates among it, and keeps a byte order mark [MQTT-1.5.4-1, MQTT-1.5.4-3].
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const INTEGER_BYTES_AT_MOST = 4;

/** The bytes of a packet, read from front to back. Every read throws Violation if they end too early or are not what they should be. */
export class PacketBytes {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, from = 0) {
    this.#bytes = bytes;
    this.#at = from;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw malformed('the packet ends too early');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }

  /** Throws if anything is left. */
  end(): void {
    if (!this.isAtEnd) throw malformed('the packet is longer than its contents');
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  twoBytes(): number {
    return this.take(2).readUInt16BE();
  }

  fourBytes(): number {
    return this.take(4).readUInt32BE();
  }

  /** A variable byte integer (MQTT 5, 1.5.5). */
  integer(): number {
    const from = this.#at;
    let value = 0;
    for (let i = 0; i < INTEGER_BYTES_AT_MOST; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 0x80 ** i;
      if (byte >= 0x80) continue;
      // [MQTT-1.5.5-1]
      if (byte === 0 && this.#at - from > 1) throw malformed('an integer is longer than needed');
      return value;
    }
    throw malformed('an integer has more than four bytes');
  }

  /** The integer that comes next, without reading on. */
  peekInteger(): number {
    return new PacketBytes(this.#bytes, this.#at).integer();
  }

  binary(): Buffer {
    return this.take(this.twoBytes());
  }

  text(): string {
    let text: string;
    const bytes = this.binary();
    try {
      text = utf8.decode(bytes);
    } catch {
      throw malformed('a text is not UTF-8');
    }
    // [MQTT-1.5.4-2]
    if (text.includes('\0')) throw malformed('a text contains U+0000');
    return text;
  }

  /** The next bytes, whose number stands before them, on their own. */
  section(): PacketBytes {
    return new PacketBytes(this.take(this.integer()));
  }
}
