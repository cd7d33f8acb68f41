/** As large as a logo is printed, and as many bytes as the server takes. */
const [WIDTH, HEIGHT, BYTES] = [600, 300, 64 * 1024] as const;
const ENCODINGS = [
  ['image/png', 1],
  ['image/jpeg', 0.9],
  ['image/jpeg', 0.6],
] as const;

/** A picture, made small enough for a logo, in base64. Rejects what is no picture. */
export async function smallPicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, WIDTH / picture.width, HEIGHT / picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d')!;
  for (const [type, quality] of ENCODINGS) {
    // JPEG knows no transparency.
    if (type === 'image/jpeg') {
      context.fillStyle = 'white';
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const url = canvas.toDataURL(type, quality);
    const base64 = url.slice(url.indexOf(',') + 1);
    if ((base64.length * 3) / 4 <= BYTES) return base64;
  }
  throw new Error('the picture stays too large');
}
