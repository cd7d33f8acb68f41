import { expect, test } from 'vitest';
import { readImage } from '../../packages/server/src/platform/kernel/images/image.ts';
import { chunk, jpeg, jpegSegment, png } from '../reports/pictures.ts';

const where = Buffer.from('GPS 52.5 13.4');

test('of a picture, only what it is drawn from is kept', () => {
  const bare = png({ width: 3, height: 2 });
  const told = png({ width: 3, height: 2, more: [chunk('tEXt', where), chunk('eXIf', where)] });
  expect(readImage(told, 10)).toEqual({
    mediaType: 'image/png',
    width: 3,
    height: 2,
    content: bare,
  });
  const photo = jpeg(7, 5, { more: [jpegSegment(0xe1, where), jpegSegment(0xfe, where)] });
  expect(readImage(photo, 10)).toEqual({
    mediaType: 'image/jpeg',
    width: 7,
    height: 5,
    content: jpeg(7, 5),
  });
});

test('what is no picture, is broken, too large or packed too densely is refused', () => {
  const good = png({ width: 3, height: 2 });
  const spoilt = Buffer.from(good);
  spoilt[spoilt.length - 20]! ^= 1;
  const bad: Readonly<Record<string, Buffer>> = {
    nothing: Buffer.alloc(0),
    text: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'a signature alone': good.subarray(0, 8),
    'an end that is missing': good.subarray(0, -12),
    'a wrong checksum': spoilt,
    'too many pixels': png({ width: 11, height: 1 }),
    'no pixels': png({ width: 0, height: 1 }),
    interlaced: png({ width: 3, height: 2, interlace: 1 }),
    'fewer rows than it says': png({ width: 3, height: 2, rows: 1 }),
    'more rows than it says': png({ width: 3, height: 2, rows: 100_000 }),
    'a palette that is missing': (() => {
      const head = Buffer.alloc(13);
      head.set([0, 0, 0, 1, 0, 0, 0, 1, 8, 3]);
      return Buffer.concat([good.subarray(0, 8), chunk('IHDR', head), chunk('IEND')]);
    })(),
    'a chunk that is longer than the file': Buffer.concat([
      good.subarray(0, 8),
      Buffer.of(0xff, 0xff, 0xff, 0xff),
      good.subarray(12),
    ]),
    'a large photo': jpeg(11, 1),
    'an empty photo': jpeg(0, 1),
    'a lossless photo': jpeg(7, 5, { frame: 0xc3 }),
    'a photo without its end': jpeg(7, 5).subarray(0, -2),
    'a photo that is cut off in its head': jpeg(7, 5).subarray(0, 8),
    'a segment without length': Buffer.of(0xff, 0xd8, 0xff, 0xdb, 0, 0, 0xff, 0xd9),
  };
  for (const [what, file] of Object.entries(bad)) expect(readImage(file, 10), what).toBeUndefined();
});
