import type { Language } from '@helioport/contract';
import type { Letter } from '../../mail/letter.ts';

interface Words {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: string;
  readonly footer: string;
}

const reset: Readonly<Record<Language, Words>> = {
  en: {
    subject: 'Choose a new password',
    paragraphs: [
      'Somebody, hopefully you, wants to choose a new password for your account. The link works once and for one hour. If you asked several times, follow the newest.',
      'If it was not you, you need not do anything: your password stays as it is, and nobody else gets this link.',
    ],
    link: 'Choose a new password',
    footer: 'You get this because a new password was asked for with this address.',
  },
  de: {
    subject: 'Neues Passwort wählen',
    paragraphs: [
      'Jemand, hoffentlich Sie, möchte ein neues Passwort für Ihr Konto wählen. Der Link gilt einmal und eine Stunde lang. Wenn Sie mehrmals darum gebeten haben, folgen Sie dem neuesten.',
      'Wenn Sie es nicht waren, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist, und niemand sonst bekommt diesen Link.',
    ],
    link: 'Neues Passwort wählen',
    footer: 'Sie bekommen dies, weil mit dieser Adresse um ein neues Passwort gebeten wurde.',
  },
  es: {
    subject: 'Elegir una contraseña nueva',
    paragraphs: [
      'Alguien, esperamos que usted, quiere elegir una contraseña nueva para su cuenta. El enlace sirve una sola vez y durante una hora. Si lo ha pedido varias veces, siga el más reciente.',
      'Si no ha sido usted, no tiene que hacer nada: su contraseña no cambia y nadie más recibe este enlace.',
    ],
    link: 'Elegir una contraseña nueva',
    footer: 'Recibe este mensaje porque se ha pedido una contraseña nueva con esta dirección.',
  },
  zh: {
    subject: '设置新密码',
    paragraphs: [
      '有人（希望是您本人）要为您的账户设置新密码。此链接只能使用一次，一小时内有效。如果您多次提出请求，请使用最新的链接。',
      '如果不是您本人操作，无需理会：您的密码保持不变，其他人也不会收到此链接。',
    ],
    link: '设置新密码',
    footer: '您收到此邮件，是因为有人用此地址请求设置新密码。',
  },
};

const letterOf = (language: Language, { link, ...words }: Words, url: string): Letter => ({ language, ...words, link: { text: link, url } });

/** The letter with which somebody who has forgotten the password chooses a new one. */
export const resetLetter = (language: Language, url: string): Letter => letterOf(language, reset[language], url);
