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

const signUp: Readonly<Record<Language, Words>> = {
  en: {
    subject: 'Your account',
    paragraphs: [
      'Somebody, hopefully you, wants to make an account with this address. The link works once and for one hour.',
      'If it was not you, you need not do anything.',
    ],
    link: 'Make the account',
    footer: 'You get this because somebody has signed up with this address.',
  },
  de: {
    subject: 'Ihr Konto',
    paragraphs: [
      'Jemand, hoffentlich Sie, möchte mit dieser Adresse ein Konto anlegen. Der Link gilt einmal und eine Stunde lang.',
      'Wenn Sie es nicht waren, brauchen Sie nichts zu tun.',
    ],
    link: 'Konto anlegen',
    footer: 'Sie bekommen dies, weil sich jemand mit dieser Adresse registriert hat.',
  },
  es: {
    subject: 'Su cuenta',
    paragraphs: [
      'Alguien, esperamos que usted, quiere crear una cuenta con esta dirección. El enlace sirve una sola vez y durante una hora.',
      'Si no ha sido usted, no tiene que hacer nada.',
    ],
    link: 'Crear la cuenta',
    footer: 'Recibe este mensaje porque alguien se ha registrado con esta dirección.',
  },
  zh: {
    subject: '您的账户',
    paragraphs: [
      '有人（希望是您本人）要用此地址创建账户。此链接只能使用一次，一小时内有效。',
      '如果不是您本人操作，无需理会。',
    ],
    link: '创建账户',
    footer: '您收到此邮件，是因为有人用此地址注册。',
  },
};

const hasAccount: Readonly<Record<Language, Words>> = {
  en: {
    subject: 'You have an account already',
    paragraphs: [
      'Somebody, hopefully you, wanted to make an account with this address, which has one already. Sign in; if you have forgotten the password, choose a new one there.',
    ],
    link: 'Sign in',
    footer: 'You get this because somebody has signed up with this address.',
  },
  de: {
    subject: 'Sie haben schon ein Konto',
    paragraphs: [
      'Jemand, hoffentlich Sie, wollte mit dieser Adresse ein Konto anlegen; es gibt schon eines. Melden Sie sich an; wenn Sie das Passwort vergessen haben, wählen Sie dort ein neues.',
    ],
    link: 'Anmelden',
    footer: 'Sie bekommen dies, weil sich jemand mit dieser Adresse registriert hat.',
  },
  es: {
    subject: 'Ya tiene una cuenta',
    paragraphs: [
      'Alguien, esperamos que usted, quería crear una cuenta con esta dirección, que ya tiene una. Inicie sesión; si ha olvidado la contraseña, elija allí una nueva.',
    ],
    link: 'Iniciar sesión',
    footer: 'Recibe este mensaje porque alguien se ha registrado con esta dirección.',
  },
  zh: {
    subject: '您已有账户',
    paragraphs: [
      '有人（希望是您本人）要用此地址创建账户，但该地址已有账户。请登录；如果忘记密码，可在登录页设置新密码。',
    ],
    link: '登录',
    footer: '您收到此邮件，是因为有人用此地址注册。',
  },
};

const letterOf = (language: Language, { link, ...words }: Words, url: string): Letter => ({
  language,
  ...words,
  link: { text: link, url },
});

/** The letter with which somebody who has forgotten the password chooses a new one. */
export const resetLetter = (language: Language, url: string): Letter =>
  letterOf(language, reset[language], url);

/** The letter with which somebody makes an account. */
export const signUpLetter = (language: Language, url: string): Letter =>
  letterOf(language, signUp[language], url);

/** The letter for somebody who signs up and has an account. */
export const hasAccountLetter = (language: Language, url: string): Letter =>
  letterOf(language, hasAccount[language], url);
