import type { ReactNode } from 'react';
import { encode } from 'uqr';
import styles from './screen.module.css';

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** A QR code, drawn here: what it contains goes to no other service. Black on white also in dark mode, since some cameras read nothing else. */
export function QrCode({ text, label }: QrCodeProps): ReactNode {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
