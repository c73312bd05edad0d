// The startup probe of mongod: it fails until all of this is done, and may be repeated. The set and the first user can
// be made by nobody who is not on the same machine.
const { MONGODB_ADMIN: user, MONGODB_ADMIN_PASSWORD: pwd, MONGODB_MEMBER: host } = globalThis.process.env;
const db = globalThis.db;
const admin = db.getSiblingDB('admin');

if (db.hello().setName === undefined) {
  globalThis.rs.initiate({ _id: 'rs0', members: [{ _id: 0, host }] });
}
if (!db.hello().isWritablePrimary) globalThis.quit(1);

try {
  admin.auth(user, pwd);
} catch {
  admin.createUser({ user, pwd, roles: ['root'] });
  admin.auth(user, pwd);
}
globalThis.load(`${__dirname}/mongodb-users.js`);
