import { html, type Html } from './html.ts';

/** The mark of the product, which leads back to the front page of the interface. */
export const brand = (front: string): Html =>
  html`<p class="brand">
    <a href="${front}"
      ><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <circle cx="12" cy="12" r="5" />
        <path
          d="M12 1v4M12 19v4M1 12h4M19 12h4M4.2 4.2l2.9 2.9M16.9 16.9l2.9 2.9M4.2 19.8l2.9-2.9M16.9 7.1l2.9-2.9"
        /></svg
      >Helioport</a
    >
  </p>`;
