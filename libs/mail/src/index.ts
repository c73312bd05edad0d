export { createMailer, type Letter, type Mailer } from './mailer.ts';
export { mailVariables } from './mail-variables.ts';
