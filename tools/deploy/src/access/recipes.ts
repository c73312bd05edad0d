import { passwordVariable } from './access-files.ts';
import { DATABASE_USERS } from './database-users.ts';

/** Value that the manifests refer to but do not contain: each installation makes its own. */
export interface Need {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  readonly key: string;
}

/** Recipe by which `deploy/k8s/make-secrets.mjs` makes a value that an installation needs. */
export type Recipe =
  | { readonly make: 'random' }
  | { readonly make: 'identity-key' }
  | { readonly make: 'public-keys' }
  /** Keys that the runtime agent gets instead of AUTH_SECRET. */
  | { readonly make: 'agent-keys' }
  | { readonly make: 'broker-address'; readonly user: string }
  | { readonly make: 'database-address'; readonly user: string; readonly database: string }
  | { readonly make: 'name'; readonly value: string }
  /** Password of the user, which is also part of the user's database address. */
  | { readonly make: 'database-password'; readonly user: string }
  | { readonly make: 'broker-users' };

export interface NeedWithRecipe extends Need {
  readonly recipe: Recipe;
}

const ADMINISTRATOR = 'clew-admin';

/** Additional values of the component `servers`, which creates the users of its servers itself. */
export const NEEDS_OF_SERVERS: readonly NeedWithRecipe[] = [
  ofServer('clew-mongodb', 'keyfile', { make: 'random' }),
  ofServer('clew-mongodb', 'password', { make: 'random' }),
  ofServer('clew-mongodb', 'user', { make: 'name', value: ADMINISTRATOR }),
  ...DATABASE_USERS.map(({ user }) =>
    ofServer('clew-mongodb-users', passwordVariable(user), { make: 'database-password', user }),
  ),
  ofServer('clew-rabbitmq', 'password', { make: 'random' }),
  ofServer('clew-rabbitmq', 'user', { make: 'name', value: ADMINISTRATOR }),
  ofServer('clew-rabbitmq', 'users.json', { make: 'broker-users' }),
];

function ofServer(name: string, key: string, recipe: Recipe): NeedWithRecipe {
  return { kind: 'Secret', name, key, recipe };
}

/** Adds the recipe to each need. Throws for a need without one, because it would be missing in every installation. */
export function withRecipes(needs: readonly Need[]): NeedWithRecipe[] {
  return needs.map((need) => {
    const recipe = recipeOf(need);
    if (recipe === undefined) throw new Error(`There is no recipe for ${need.kind} ${need.name}/${need.key}`);
    return { ...need, recipe };
  });
}

function recipeOf({ name, key }: Need): Recipe | undefined {
  const user = name.replace(/^clew-/, '');
  switch (key) {
    case 'AUTH_SECRET':
      return { make: 'random' };
    case 'private.pem':
      return { make: 'identity-key' };
    case 'public-keys.json':
      return { make: 'public-keys' };
    case 'agent-keys.json':
      return { make: 'agent-keys' };
    case 'AMQP_URL':
      return { make: 'broker-address', user };
    case 'MONGO_URL': {
      const found = DATABASE_USERS.find((each) => each.user === user);
      return found === undefined ? undefined : { make: 'database-address', user, database: found.database };
    }
    default:
      return undefined;
  }
}
