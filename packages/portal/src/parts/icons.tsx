import type { ReactNode } from 'react';

export type Icon = (props: { readonly size?: number }) => ReactNode;

/** An icon of strokes on a field of 24 by 24. Icons stand beside text; those that stand alone get their name from what they are in. */
const icon = (path: string): Icon =>
  function StrokeIcon({ size = 20 }) {
    return (
      <svg
        viewBox="0 0 24 24"
        width={size}
        height={size}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        <path d={path} />
      </svg>
    );
  };

/** The mark of the product, as on the consent page. */
export const SunMark: Icon = ({ size = 24 }) => (
  <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
    <circle cx="12" cy="12" r="5" fill="#f2a900" />
    <path
      d="M12 1v4M12 19v4M1 12h4M19 12h4M4.2 4.2l2.9 2.9M16.9 16.9l2.9 2.9M4.2 19.8l2.9-2.9M16.9 7.1l2.9-2.9"
      stroke="#f2a900"
      strokeWidth="2"
      strokeLinecap="round"
    />
  </svg>
);

export const HomeIcon = icon('M3 11l9-8 9 8M5 9.5V20h5v-6h4v6h5V9.5');
export const BellIcon = icon('M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4');
export const ShieldIcon = icon('M12 3l8 3v6c0 4.5-3.2 7.7-8 9-4.8-1.3-8-4.5-8-9V6zM9 12l2 2 4-4');
export const PersonIcon = icon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6 8-6s8 2 8 6');
export const PlusIcon = icon('M12 5v14M5 12h14');
export const SearchIcon = icon('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5');
export const SettingsIcon = icon(
  'M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h9M17 17h3M15 15v4',
);
export const LeftIcon = icon('M15 5l-7 7 7 7');
export const RightIcon = icon('M9 5l7 7-7 7');
export const UpIcon = icon('M12 19V5M6 11l6-6 6 6');
export const DownIcon = icon('M12 5v14M6 13l6 6 6-6');
export const ZoomInIcon = icon('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5M11 8v6M8 11h6');
export const ZoomOutIcon = icon('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5M8 11h6');
export const WholeIcon = icon('M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5');
export const TableIcon = icon('M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9');
export const DownloadIcon = icon('M12 4v11M7 10l5 5 5-5M5 20h14');
export const CopyIcon = icon('M9 9h11v11H9zM5 15H4V4h11v1');
export const CheckIcon = icon('M5 13l4 4L19 7');
export const CrossIcon = icon('M6 6l12 12M18 6L6 18');
export const WarningIcon = icon('M12 4L2.5 20h19zM12 10v4M12 17v.01');
export const CloudOffIcon = icon(
  'M3 3l18 18M7 18a4 4 0 0 1-.5-8M10 6.5A6 6 0 0 1 17.5 11 3.6 3.6 0 0 1 20 16.5M14 18H7',
);
export const CollectorIcon = icon(
  'M5 12h14v7H5zM8 15.5v.01M12 12V8M8.5 6a5 5 0 0 1 7 0M6 3.5a8.5 8.5 0 0 1 12 0',
);
export const RoofIcon = icon('M3 18L8 6h11l2 12zM6 12h14M11 6l-1 12M15.5 6l1 12');
export const BatteryIcon = icon('M3 8h16v9H3zM22 11v3M7 11v3M11 11v3');
export const GridIcon = icon('M12 3l-4 18M12 3l4 18M7 8h10M6 13h12M9.5 13l5.5 8M14.5 13L9 21');
export const ListIcon = icon('M9 6h11M9 12h11M9 18h11M4.5 6v.01M4.5 12v.01M4.5 18v.01');
export const LeafIcon = icon('M4 20C8 12 12 10 16 9M6 17C3 9 9 4 20 4c0 11-5 16-12 14');
export const CodeIcon = icon('M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16');
export const MapIcon = icon('M9 4L3 6.5V20l6-2.5 6 2.5 6-2.5V4l-6 2.5zM9 4v13.5M15 6.5V20');
