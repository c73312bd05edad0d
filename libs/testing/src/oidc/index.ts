export { keepCookie } from './keep-cookie.ts';
export { startLoopbackIssuer, type IssuedPerson, type LoopbackClient, type LoopbackIssuer } from './loopback-issuer.ts';
