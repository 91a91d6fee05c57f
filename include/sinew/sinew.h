/* Sinew: skeletal animation and skinning of glTF 2.0 models. Everything without GL. */
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include "sinew/base.h"
#include "sinew/clip.h"
#include "sinew/finding.h"
#include "sinew/gltf.h"
#include "sinew/model.h"
#include "sinew/palette.h"
#include "sinew/pose.h"
#include "sinew/skin.h"

#endif
