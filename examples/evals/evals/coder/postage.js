export const postage = (kg) => (kg > 2 ? 9 : 5);
