export { broughtAbout, newActivity, OWN_ACTOR, type Activity, type Actor } from './activity.ts';
export { activityModel } from './activity.model.ts';
export { ACTIVITY, createActivityStore, type ActivityStore } from './activity.store.ts';
