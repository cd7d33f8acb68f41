import type { Language, OauthErrorName, Scope } from '@helioport/contract';

interface Texts {
  readonly language: string;
  readonly logIn: {
    title: string;
    lead: (application: string) => string;
    email: string;
    password: string;
    showPassword: string;
    hidePassword: string;
    submit: string;
    wrong: string;
    throttled: string;
    passkey: string;
    forgotten: string;
  };
  readonly secondStep: {
    title: string;
    lead: string;
    leadPasskey: string;
    code: string;
    recoveryCode: string;
    hint: string;
    submit: string;
    passkey: string;
    again: string;
    wrong: string;
    wrongPasskey: string;
    throttled: string;
  };
  readonly consent: {
    title: (application: string) => string;
    lead: (application: string) => string;
    says: (application: string) => string;
    homePage: string;
    returnTo: (host: string) => string;
    signedInAs: string;
    logOut: string;
    scopes: string;
    scope: Readonly<Record<Scope, readonly [name: string, meaning: string]>>;
    plants: string;
    allPlants: string;
    somePlants: string;
    noPlants: string;
    filter: string;
    tickListed: string;
    clearListed: string;
    /** `{ticked}` and `{plants}` stand for numbers. */
    ticked: string;
    manyPlants: (shown: number) => string;
    ending: string;
    approve: string;
    deny: string;
    noScope: string;
    noPlant: string;
  };
  readonly error: { title: string; lead: string; technical: string; requestId: string; again: string; reasons: Partial<Record<OauthErrorName, string>> };
}

const en: Texts = {
  language: 'Language',
  logIn: {
    title: 'Sign in',
    lead: (application) => `to decide what ${application} may do with your solar plants`,
    email: 'E-mail address',
    password: 'Password',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    submit: 'Sign in',
    wrong: 'The e-mail address or the password is wrong.',
    throttled: 'Too many attempts. Please wait half a minute before the next one.',
    passkey: 'Sign in with a passkey',
    forgotten: 'Forgotten your password?',
  },
  secondStep: {
    title: 'Confirm that it is you',
    lead: 'Enter the six digits that your authenticator app shows.',
    leadPasskey: 'Use your passkey or a recovery code.',
    code: 'Code',
    recoveryCode: 'Recovery code',
    hint: 'If you do not have your app or passkey at hand, enter one of your recovery codes instead.',
    submit: 'Continue',
    passkey: 'Use a passkey',
    again: 'Start again',
    wrong: 'This code is wrong or was used before, or the passkey was not accepted.',
    wrongPasskey: 'This passkey was not accepted.',
    throttled: 'Too many attempts. Please wait a few minutes, or use a recovery code.',
  },
  consent: {
    title: (application) => `${application} is requesting access`,
    lead: (application) => `You decide what ${application} may do with your solar plants. Uncheck anything that you do not want to allow.`,
    says: (application) => `${application} says:`,
    homePage: 'Home page',
    returnTo: (host) => `Once you have decided, you will be sent back to ${host}.`,
    signedInAs: 'Signed in as',
    logOut: 'Sign out',
    scopes: 'What the application may do',
    scope: {
      access_data: ['Read data', 'See your plants and devices, their readings, energy figures and alarms.'],
      control_device: [
        'Control devices',
        'Change the settings of your inverters and switch them on and off. This can cut your power supply: allow it only if you trust the application with that.',
      ],
    },
    plants: 'Which plants it may access',
    allPlants: 'All plants that I own, now and later',
    somePlants: 'Only these plants',
    noPlants: 'You do not own any plants yet.',
    filter: 'Find a plant',
    tickListed: 'Select all shown',
    clearListed: 'Clear all shown',
    ticked: '{ticked} of {plants} selected',
    manyPlants: (shown) => `Only the first ${shown} plants are shown.`,
    ending: 'To end this access later, contact the operator of this service; once they revoke it, it ends immediately.',
    approve: 'Allow',
    deny: 'Deny',
    noScope: 'Select at least one thing that the application may do, or choose Deny.',
    noPlant: 'Select at least one plant, or choose Deny.',
  },
  error: {
    title: 'This request cannot continue',
    lead: 'You were not sent back to the application because there is a problem with its request. No access was granted.',
    technical: 'Details for the application’s developer',
    requestId: 'Request ID',
    again: 'Start again',
    reasons: {
      applicationMissing: 'The request does not say which application it comes from.',
      applicationUnknown: 'This application is unknown, or has not been approved.',
      callbackMissing: 'The request does not say where to return afterwards.',
      callbackMismatch: 'The return address is not the one that the application registered.',
      callbackUnencoded: 'The return address is incomplete.',
      pageExpired: 'This page was already submitted, was open for too long, or belongs to another request.',
      internal: 'Something went wrong on our side.',
      unavailable: 'The service is not available at the moment. Please try again in a few seconds.',
    },
  },
};

const de: Texts = {
  language: 'Sprache',
  logIn: {
    title: 'Anmelden',
    lead: (application) => `und entscheiden, was ${application} mit Ihren Solaranlagen tun darf`,
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    showPassword: 'Passwort anzeigen',
    hidePassword: 'Passwort verbergen',
    submit: 'Anmelden',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    throttled: 'Zu viele Versuche. Bitte warten Sie eine halbe Minute bis zum nächsten.',
    passkey: 'Mit einem Passkey anmelden',
    forgotten: 'Passwort vergessen?',
  },
  secondStep: {
    title: 'Bestätigen Sie, dass Sie es sind',
    lead: 'Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App anzeigt.',
    leadPasskey: 'Verwenden Sie Ihren Passkey oder einen Wiederherstellungscode.',
    code: 'Code',
    recoveryCode: 'Wiederherstellungscode',
    hint: 'Wenn Sie App oder Passkey nicht zur Hand haben, geben Sie stattdessen einen Ihrer Wiederherstellungscodes ein.',
    submit: 'Weiter',
    passkey: 'Passkey verwenden',
    again: 'Von vorn beginnen',
    wrong: 'Dieser Code ist falsch oder wurde schon verwendet, oder der Passkey wurde nicht angenommen.',
    wrongPasskey: 'Dieser Passkey wurde nicht angenommen.',
    throttled: 'Zu viele Versuche. Bitte warten Sie einige Minuten oder verwenden Sie einen Wiederherstellungscode.',
  },
  consent: {
    title: (application) => `${application} bittet um Zugriff`,
    lead: (application) =>
      `Sie entscheiden, was ${application} mit Ihren Solaranlagen tun darf. Entfernen Sie die Haken bei allem, was Sie nicht erlauben möchten.`,
    says: (application) => `Angaben von ${application}:`,
    homePage: 'Website',
    returnTo: (host) => `Nach Ihrer Entscheidung kehren Sie zu ${host} zurück.`,
    signedInAs: 'Angemeldet als',
    logOut: 'Abmelden',
    scopes: 'Was die Anwendung darf',
    scope: {
      access_data: ['Daten lesen', 'Ihre Anlagen und Geräte mit Messwerten, Energiemengen und Alarmen sehen.'],
      control_device: [
        'Geräte steuern',
        'Einstellungen Ihrer Wechselrichter ändern und sie ein- und ausschalten. Das kann Ihre Stromversorgung unterbrechen: Erlauben Sie es nur, wenn Sie der Anwendung das anvertrauen.',
      ],
    },
    plants: 'Auf welche Anlagen sie zugreifen darf',
    allPlants: 'Alle Anlagen, die mir gehören, jetzt und später',
    somePlants: 'Nur diese Anlagen',
    noPlants: 'Ihnen gehört noch keine Anlage.',
    filter: 'Anlage suchen',
    tickListed: 'Alle angezeigten auswählen',
    clearListed: 'Alle angezeigten abwählen',
    ticked: '{ticked} von {plants} ausgewählt',
    manyPlants: (shown) => `Es werden nur die ersten ${shown} Anlagen angezeigt.`,
    ending: 'Um den Zugriff später zu beenden, wenden Sie sich an den Betreiber dieses Dienstes; er endet dann sofort.',
    approve: 'Erlauben',
    deny: 'Ablehnen',
    noScope: 'Wählen Sie mindestens eine Berechtigung aus, oder lehnen Sie ab.',
    noPlant: 'Wählen Sie mindestens eine Anlage aus, oder lehnen Sie ab.',
  },
  error: {
    title: 'Diese Anfrage kann nicht fortgesetzt werden',
    lead: 'Sie wurden nicht zur Anwendung zurückgeleitet, weil ihre Anfrage fehlerhaft ist. Es wurde kein Zugriff gewährt.',
    technical: 'Angaben für die Entwickler der Anwendung',
    requestId: 'Anfragenummer',
    again: 'Neu beginnen',
    reasons: {
      applicationMissing: 'In der Anfrage fehlt, von welcher Anwendung sie kommt.',
      applicationUnknown: 'Diese Anwendung ist nicht bekannt oder nicht freigegeben.',
      callbackMissing: 'In der Anfrage fehlt die Rücksprungadresse.',
      callbackMismatch: 'Die Rücksprungadresse ist nicht die, die für die Anwendung registriert ist.',
      callbackUnencoded: 'Die Rücksprungadresse ist unvollständig.',
      pageExpired: 'Diese Seite wurde schon einmal abgeschickt, war zu lange offen oder gehört zu einer anderen Anfrage.',
      internal: 'Bei uns ist etwas schiefgegangen.',
      unavailable: 'Der Dienst ist gerade nicht verfügbar. Bitte versuchen Sie es in einigen Sekunden noch einmal.',
    },
  },
};

const es: Texts = {
  language: 'Idioma',
  logIn: {
    title: 'Iniciar sesión',
    lead: (application) => `para decidir qué puede hacer ${application} con sus plantas solares`,
    email: 'Correo electrónico',
    password: 'Contraseña',
    showPassword: 'Mostrar contraseña',
    hidePassword: 'Ocultar contraseña',
    submit: 'Iniciar sesión',
    wrong: 'El correo electrónico o la contraseña no son correctos.',
    throttled: 'Demasiados intentos. Espere medio minuto antes del siguiente.',
    passkey: 'Iniciar sesión con una llave de acceso',
    forgotten: '¿Ha olvidado su contraseña?',
  },
  secondStep: {
    title: 'Confirme que es usted',
    lead: 'Introduzca los seis dígitos que muestra su aplicación de autenticación.',
    leadPasskey: 'Utilice su llave de acceso o un código de recuperación.',
    code: 'Código',
    recoveryCode: 'Código de recuperación',
    hint: 'Si no tiene a mano la aplicación ni la llave de acceso, introduzca uno de sus códigos de recuperación.',
    submit: 'Continuar',
    passkey: 'Usar una llave de acceso',
    again: 'Empezar de nuevo',
    wrong: 'Este código es incorrecto o ya se ha utilizado, o no se ha aceptado la llave de acceso.',
    wrongPasskey: 'No se ha aceptado esta llave de acceso.',
    throttled: 'Demasiados intentos. Espere unos minutos o utilice un código de recuperación.',
  },
  consent: {
    title: (application) => `${application} solicita acceso`,
    lead: (application) => `Usted decide qué puede hacer ${application} con sus plantas solares. Desmarque lo que no quiera permitir.`,
    says: (application) => `Según ${application}:`,
    homePage: 'Sitio web',
    returnTo: (host) => `Después de su decisión volverá a ${host}.`,
    signedInAs: 'Sesión iniciada como',
    logOut: 'Cerrar sesión',
    scopes: 'Qué podrá hacer la aplicación',
    scope: {
      access_data: ['Leer datos', 'Ver sus plantas y dispositivos, con sus mediciones, datos de energía y alarmas.'],
      control_device: [
        'Controlar dispositivos',
        'Cambiar los ajustes de sus inversores y encenderlos o apagarlos. Esto puede cortar su suministro eléctrico: permítalo solo si confía en la aplicación para ello.',
      ],
    },
    plants: 'A qué plantas podrá acceder',
    allPlants: 'Todas mis plantas, las actuales y las futuras',
    somePlants: 'Solo estas plantas',
    noPlants: 'Todavía no tiene ninguna planta.',
    filter: 'Buscar una planta',
    tickListed: 'Marcar todas las mostradas',
    clearListed: 'Desmarcar todas las mostradas',
    ticked: '{ticked} de {plants} marcadas',
    manyPlants: (shown) => `Solo se muestran las primeras ${shown} plantas.`,
    ending: 'Para retirar este acceso más adelante, diríjase al operador de este servicio; terminará de inmediato.',
    approve: 'Permitir',
    deny: 'Denegar',
    noScope: 'Marque al menos un permiso, o deniegue el acceso.',
    noPlant: 'Marque al menos una planta, o deniegue el acceso.',
  },
  error: {
    title: 'No se puede continuar con esta solicitud',
    lead: 'No ha vuelto a la aplicación porque su solicitud contiene un error. No se ha concedido ningún acceso.',
    technical: 'Detalles para quien desarrolla la aplicación',
    requestId: 'Identificador de la solicitud',
    again: 'Empezar de nuevo',
    reasons: {
      applicationMissing: 'La solicitud no indica de qué aplicación procede.',
      applicationUnknown: 'Esta aplicación es desconocida o no está aprobada.',
      callbackMissing: 'La solicitud no indica la dirección de retorno.',
      callbackMismatch: 'La dirección de retorno no es la que registró la aplicación.',
      callbackUnencoded: 'La dirección de retorno está incompleta.',
      pageExpired: 'Esta página ya se envió, estuvo abierta demasiado tiempo o pertenece a otra solicitud.',
      internal: 'Algo ha fallado por nuestra parte.',
      unavailable: 'El servicio no está disponible en este momento. Inténtelo de nuevo en unos segundos.',
    },
  },
};

const zh: Texts = {
  language: '语言',
  logIn: {
    title: '登录',
    lead: (application) => `以决定 ${application} 可以对您的光伏电站做什么`,
    email: '电子邮箱',
    password: '密码',
    showPassword: '显示密码',
    hidePassword: '隐藏密码',
    submit: '登录',
    wrong: '电子邮箱或密码不正确。',
    throttled: '尝试次数过多，请等待半分钟后再试。',
    passkey: '使用通行密钥登录',
    forgotten: '忘记密码？',
  },
  secondStep: {
    title: '请确认是您本人',
    lead: '请输入身份验证器应用显示的六位数字。',
    leadPasskey: '请使用您的通行密钥或恢复代码。',
    code: '验证码',
    recoveryCode: '恢复代码',
    hint: '如果手边没有该应用或通行密钥，请改为输入一个恢复代码。',
    submit: '继续',
    passkey: '使用通行密钥',
    again: '重新开始',
    wrong: '验证码错误或已被使用，或者通行密钥未被接受。',
    wrongPasskey: '此通行密钥未被接受。',
    throttled: '尝试次数过多，请等待几分钟，或使用恢复代码。',
  },
  consent: {
    title: (application) => `${application} 请求访问权限`,
    lead: (application) => `由您决定 ${application} 可以对您的光伏电站做什么。请取消勾选您不想允许的项目。`,
    says: (application) => `${application} 的说明：`,
    homePage: '网站',
    returnTo: (host) => `作出决定后，您将返回 ${host}。`,
    signedInAs: '当前登录账号',
    logOut: '退出登录',
    scopes: '允许该应用执行的操作',
    scope: {
      access_data: ['读取数据', '查看您的电站和设备，以及测量值、电量数据和告警。'],
      control_device: ['控制设备', '更改您的逆变器的设置，并可开启或关闭逆变器。这可能会中断您的供电：请仅在信任该应用时允许。'],
    },
    plants: '允许访问的电站',
    allPlants: '我现在和以后拥有的所有电站',
    somePlants: '仅限以下电站',
    noPlants: '您目前没有电站。',
    filter: '查找电站',
    tickListed: '全选所示电站',
    clearListed: '取消全选',
    ticked: '已选择 {ticked} 个，共 {plants} 个',
    manyPlants: (shown) => `仅列出前 ${shown} 个电站。`,
    ending: '如需日后终止此授权，请联系本服务的运营方；终止后立即生效。',
    approve: '允许',
    deny: '拒绝',
    noScope: '请至少选择一项操作，或选择拒绝。',
    noPlant: '请至少选择一个电站，或选择拒绝。',
  },
  error: {
    title: '无法继续',
    lead: '该应用的请求存在问题，因此没有返回该应用。未授予任何权限。',
    technical: '供应用开发者参考',
    requestId: '请求编号',
    again: '重新开始',
    reasons: {
      applicationMissing: '请求没有说明来自哪个应用。',
      applicationUnknown: '该应用未知或未获批准。',
      callbackMissing: '请求中缺少返回地址。',
      callbackMismatch: '返回地址不是该应用登记的地址。',
      callbackUnencoded: '返回地址不完整。',
      pageExpired: '此页面已提交过、打开时间过长，或属于另一个请求。',
      internal: '我们这边出了问题。',
      unavailable: '服务暂时不可用，请几秒钟后重试。',
    },
  },
};

/** The texts of the pages. */
export const texts: Readonly<Record<Language, Texts>> = { en, de, es, zh };
