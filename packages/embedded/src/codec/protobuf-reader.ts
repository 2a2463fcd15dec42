// The wire format of protocol buffers, as far as it goes without knowing the message.

export type WireValue =
  | { readonly number: number; readonly varint: bigint }
  | { readonly number: number; readonly bytes: Buffer };

/** Every field of a message in order. Throws RangeError on what is no message. */
export function* readFields(message: Buffer): Generator<WireValue> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError("the message is cut off");
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const key = Number(varint());
    const number = key >>> 3;
    switch (key & 7) {
      case 0:
        yield { number, varint: varint() };
        break;
      case 1:
        yield { number, bytes: take(8) };
        break;
      case 2:
        yield { number, bytes: take(Number(varint())) };
        break;
      case 5:
        yield { number, bytes: take(4) };
        break;
      default:
        throw new RangeError(`wire type ${key & 7} is not known`);
    }
  }
}
