import type { SIGN_IN_EN } from './sign-in-en.ts'

export const SIGN_IN_ES: typeof SIGN_IN_EN = {
  signIn: {
    title: 'Iniciar sesión',
    text: (publisher: string) => `Para ver tus recompensas con ${publisher}.`,
    button: 'Iniciar sesión',
    password: 'Contraseña',
    forgotten: '¿Has olvidado tu contraseña?',
    forgottenText: 'Dinos con qué dirección inicias sesión y te enviaremos un enlace para elegir una contraseña nueva.',
    send: 'Enviar enlace',
    mailed: 'Mira tu correo',
    mailedText: (email: string) =>
      `Si alguien inicia sesión aquí con ${email}, recibirá un correo. El enlace sirve una vez, durante una hora.`,
    newPassword: 'Contraseña nueva',
    passwordHelp: 'Al menos 12 caracteres. Varias palabras se recuerdan bien.',
    save: 'Guardar',
    account: {
      title: 'Cómo inicias sesión',
      add: 'Iniciar sesión con tu correo',
      addText: (publisher: string) =>
        `Elige una contraseña y ya no necesitarás ${publisher} para ver tus recompensas. Primero comprobamos que la dirección es tuya.`,
      sendCode: 'Enviar código',
      otherAddress: '¿No llega el correo o la dirección no es correcta?',
      enterCode: 'Escribe el código',
      enterCodeText: (email: string) => `Lo hemos enviado a ${email}. Sirve durante una hora.`,
      code: 'Código del correo',
      change: 'Cambiar la contraseña',
      changeText: (email: string) =>
        `Inicias sesión con ${email}. Una contraseña nueva cierra todas tus demás sesiones.`,
      current: 'Contraseña actual',
      sessions: 'Dónde has iniciado sesión',
      thisOne: 'Este',
      lastUsed: (day: string) => `Último uso: ${day}`,
      end: 'Cerrar allí',
    },
  },
  mails: {
    sign_up: (publisher: string, code: string) => ({
      subject: `Tu código para ${publisher}`,
      before: `Este código demuestra que la dirección es tuya: ${code}. Escríbelo donde lo pediste:`,
      action: 'Escribir el código',
      after: 'Sirve durante una hora, y solo donde has iniciado sesión. Si no lo pediste, ignora este correo.',
    }),
    reset: (publisher: string, _: string) => ({
      subject: `Restablece tu contraseña para ${publisher}`,
      before: `Alguien, probablemente tú, pidió restablecer tu contraseña para las recompensas de ${publisher}:`,
      action: 'Elegir una contraseña nueva',
      after: 'El enlace sirve una vez, durante una hora. Si no fuiste tú, ignora este correo; tu contraseña no cambia.',
    }),
    changed: (publisher: string, _: string) => ({
      subject: `Tu contraseña para ${publisher} ha cambiado`,
      before: `Tu contraseña para las recompensas de ${publisher} ha cambiado y se han cerrado las demás sesiones. Si no fuiste tú, restablécela ahora:`,
      action: 'Restablecer la contraseña',
      after: `Después avisa a ${publisher}.`,
    }),
  },
  done: {
    code: 'Te hemos enviado un código.',
    ownAccount: 'A partir de ahora puedes iniciar sesión con tu correo y tu contraseña.',
    password: 'Tu contraseña nueva está guardada. Se han cerrado las demás sesiones.',
    ended: 'Se ha cerrado la sesión en ese navegador.',
  },
  faults: {
    email_invalid: 'Escribe una dirección de correo.',
    email_taken: 'Esta dirección es de otra cuenta. Elige otra, por favor.',
    password_short: 'Elige al menos 12 caracteres.',
    password_long: 'Elige como máximo 256 caracteres.',
    password_wrong: 'Esta no es tu contraseña actual.',
    sign_in_failed: 'La dirección o la contraseña no es correcta.',
    sign_in_expired: 'Has tardado demasiado. Pide un código nuevo.',
    attempts_exhausted: 'Demasiados intentos. Vuelve a intentarlo en 15 minutos.',
    link_expired: 'Este enlace ya se usó o ha caducado. Pide uno nuevo.',
    code_wrong: 'Este código no es correcto.',
    user_not_active: 'Tu cuenta no está activa.',
  },
}
